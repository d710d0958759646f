"""What is promised in one file holds in the others: pins, versions, the Space's front matter, the wheel."""

import ast
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest

from polqa_demo.version import __version__

ROOT = Path(__file__).resolve().parents[1]


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins() -> dict[str, str]:
    """Distribution -> version, as requirements.txt pins them."""
    found = {}
    for line in text("requirements.txt").splitlines():
        # A marker behind a pin names the platforms that the package is made for.
        if line.strip() and not line.startswith("#"):
            match = re.fullmatch(r"([A-Za-z0-9_.-]+)(?:\[[a-z,]+\])?==([^\s=;]+)(?: ; .+)?", line.strip())
            assert match, f"not pinned: {line}"
            found[canonical(match[1])] = match[2]
    return found


def front_matter() -> dict[str, Any]:
    """The head of README.md; flat YAML of scalars and lists, so no parser of the whole language is needed."""
    _, head, _ = text("README.md").split("---\n", 2)
    found: dict[str, Any] = {}
    key = ""
    for line in head.splitlines():
        if line.startswith("  - "):
            found[key] = [*(found[key] or []), line[4:].strip()]
        else:
            key, _, value = line.partition(":")
            found[key] = value.strip().strip('"')
    return found


def pyproject() -> dict[str, Any]:
    return tomllib.loads(text("pyproject.toml"))


def test_the_space_runs_what_is_pinned() -> None:
    head = front_matter()
    assert head["sdk"] == "gradio"
    assert head["sdk_version"] == pins()["gradio"]
    assert head["python_version"] == f"{sys.version_info.major}.{sys.version_info.minor}"
    assert (ROOT / head["app_file"]).is_file()
    assert head["title"]
    assert "ipipan/polqa" in head["datasets"]
    assert {"polish", "question-answering"} <= set(head["tags"])
    assert head["license"] == pyproject()["project"]["license"].lower() == "apache-2.0"
    assert "Apache License" in text("LICENSE")
    # The hub refuses longer ones.
    assert len(head["short_description"]) <= 60


def test_the_python_of_the_space_is_one_that_the_package_allows() -> None:
    bounds = re.fullmatch(r">=3\.(\d+),<3\.(\d+)", pyproject()["project"]["requires-python"])
    assert bounds
    assert int(bounds[1]) <= int(front_matter()["python_version"].split(".")[1]) < int(bounds[2])


def imported() -> dict[str, str]:
    """Top-level module -> a file that imports it, for the package and app.py."""
    found: dict[str, str] = {}
    for file in [ROOT / "app.py", *(ROOT / "polqa_demo").rglob("*.py")]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [str(node.module)]
            else:
                continue
            found |= {name.split(".")[0]: file.relative_to(ROOT).as_posix() for name in names}
    return {name: file for name, file in found.items() if name not in sys.stdlib_module_names and name != "polqa_demo"}


def test_every_import_is_pinned() -> None:
    homes = packages_distributions()
    loose = {
        name: file
        for name, file in imported().items()
        if not any(canonical(home) in pins() for home in homes.get(name, ()))
    }
    assert loose == {}


def test_the_pins_are_what_is_installed() -> None:
    from importlib.metadata import version

    installed = {name: version(name).split("+")[0] for name in pins()}
    assert installed == pins()


def test_every_requirement_has_its_reason() -> None:
    reasons = {
        canonical(re.sub(r"\[.*\]", "", name))
        for line in re.findall(r"^#   (\S.*?)  +\S", text("pyproject.toml"), re.MULTILINE)
        for name in re.split(r",\s*", line)
    }
    # "pydantic, -settings" stands for both.
    reasons |= {"pydantic-settings"} if "-settings" in reasons else set()
    assert set(pins()) - reasons == set()


def test_the_version_is_the_same_everywhere() -> None:
    cited = re.search(r"^version: (\S+)$", text("CITATION.cff"), re.MULTILINE)
    newest = re.search(r"^## \[?(\d[^\s\]]*)\]? – (\d{4}-\d\d-\d\d)$", text("CHANGELOG.md"), re.MULTILINE)
    released = re.search(r"^date-released: (\S+)$", text("CITATION.cff"), re.MULTILINE)
    assert cited
    assert newest
    assert released
    assert cited[1].strip("\"'") == newest[1] == __version__
    assert released[1].strip("\"'") == newest[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The wheel, built from a copy so that no build folder is left in the tree."""
    folder = tmp_path_factory.mktemp("wheel")
    names = ("pyproject.toml", "requirements.txt", "README.md", "LICENSE", "polqa_demo", "tools", "benchmarks")
    subprocess.run(["cp", "-r", *(str(ROOT / name) for name in names), str(folder)], check=True)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    run = subprocess.run(
        [*command, "--wheel-dir", str(folder / "out"), str(folder)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    (built,) = (folder / "out").glob("*.whl")
    assert built.name.startswith(f"polqa_demo-{__version__}-py3-none-any")
    return zipfile.ZipFile(built)


def test_the_wheel_holds_the_package_with_its_data(wheel: zipfile.ZipFile) -> None:
    packed = {name for name in wheel.namelist() if name.startswith("polqa_demo/")}
    wanted = {
        file.relative_to(ROOT).as_posix()
        for file in (ROOT / "polqa_demo").rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert wanted - packed == set()
    assert packed - wanted == set()
    assert "polqa_demo/py.typed" in packed
    assert "polqa_demo/data/sample/passages.jsonl" in packed
    assert wheel.testzip() is None


def test_the_wheel_holds_nothing_that_stands_beside_the_package(wheel: zipfile.ZipFile) -> None:
    roots = {name.split("/")[0] for name in wheel.namelist()}
    assert roots == {"polqa_demo", f"polqa_demo-{__version__}.dist-info"}


def test_the_wheel_asks_for_what_is_pinned_and_brings_the_command(wheel: zipfile.ZipFile) -> None:
    (info,) = [name.split("/")[0] for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
    metadata = wheel.read(f"{info}/METADATA").decode()
    lines = re.findall(r"^Requires-Dist: ([\w.-]+)(.*)$", metadata, re.MULTILINE)
    asked = {canonical(name) for name, rest in lines if "extra ==" not in rest}
    assert asked == set(pins())
    assert "polqa-demo = polqa_demo.cli:main" in wheel.read(f"{info}/entry_points.txt").decode()
    assert any(name.endswith("licenses/LICENSE") for name in wheel.namelist())


def test_the_figures_of_the_readme_are_the_recorded_ones() -> None:
    from benchmarks.readme import README, with_section

    text = README.read_text(encoding="utf-8")
    assert with_section(text) == text
