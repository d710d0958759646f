"""Which room may know which, held by reading every import."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "polqa_demo"

# Rooms in the order in which they may use each other; those of one line do not use each other, unless listed below.
ORDER = (
    ("errors", "version"),
    ("recognised", "library_notices", "library_failures"),
    ("records",),
    ("settings",),
    ("polish", "wikipedia"),
    ("data", "models"),
    ("submissions", "evaluation", "retrieval", "reading"),
    ("reports",),
    ("choice", "open_parts"),
    ("assembly", "ranking_orders"),
    ("pipeline", "parsing"),
    ("scoring",),
    ("comparison", "archive", "gold_sets"),
    ("runs", "interface"),
    ("cluster",),
    ("ui", "cli", "__main__", "__init__"),
)
PLACE = {room: place for place, rooms in enumerate(ORDER) for room in rooms}
# Doors that open one another.
NEIGHBOURS = {("cli", "ui"), ("cli", "__init__"), ("__main__", "cli")}
# Beside the package: they may use all of it, and nothing of it uses them.
BESIDE = ("tools", "benchmarks")
HEAVY = {"torch", "transformers", "sentence_transformers", "datasets", "faiss", "sklearn", "scipy", "ray", "peft"}
PURE = ("data", "submissions", "evaluation", "reports")


@dataclass(frozen=True)
class Import:
    file: str
    room: str
    line: int
    module: str
    lazy: bool

    @property
    def top(self) -> str:
        return self.module.split(".")[0]

    @property
    def target(self) -> str | None:
        """The room that is imported, when it is one of ours."""
        parts = self.module.split(".")
        return None if parts[0] != "polqa_demo" else parts[1] if len(parts) > 1 else "__init__"


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def room_of(file: Path) -> str:
    first = file.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


def names(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module == "polqa_demo":
        # `from polqa_demo import scoring` names a room behind the word import.
        yield from (f"polqa_demo.{alias.name}" if alias.name in PLACE else "polqa_demo" for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        assert not node.level, "imports are absolute"
        yield str(node.module)


def walk(node: ast.AST, lazy: bool) -> Iterator[tuple[ast.AST, bool]]:
    """Every node, and whether it runs only inside of a function or for the type checker alone."""
    for child in ast.iter_child_nodes(node):
        inner = lazy or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            inner = True
        yield child, inner
        yield from walk(child, inner)


def imports_of(file: Path) -> Iterator[Import]:
    for node, lazy in walk(ast.parse(file.read_text(encoding="utf-8")), False):
        for name in names(node):
            yield Import(file.relative_to(ROOT).as_posix(), room_of(file), getattr(node, "lineno", 0), name, lazy)


IMPORTS = [found for file in modules() for found in imports_of(file)]


def told(found: list[Import]) -> list[str]:
    return [f"{item.file}:{item.line} imports {item.module}" for item in found]


def allowed(room: str, target: str) -> bool:
    if room == target or (room, target) in NEIGHBOURS:
        return True
    return room in PLACE and PLACE[target] < PLACE[room]


def modules_imported() -> dict[str, set[str]]:
    """Module -> modules of ours that it imports, also inside of functions and for the type checker alone."""
    known = {file: file.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".") for file in modules()}
    named = {name.removesuffix(".__init__"): file for file, name in known.items()}
    found: dict[str, set[str]] = {}
    for name, file in named.items():
        nodes = [
            node for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))) if isinstance(node, ast.ImportFrom)
        ]
        targets = {f"{node.module}.{alias.name}" for node in nodes for alias in node.names} | {
            str(node.module) for node in nodes
        }
        # A package that is named for one of its modules is no import of what it gathers.
        found[name] = {target for target in targets if target in named and not name.startswith(f"{target}.")} - {name}
    return found


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Modules that reach themselves, each with those on one way round."""
    done: set[str] = set()
    found = []

    def follow(name: str, way: list[str]) -> None:
        if name in way:
            found.append(way[way.index(name) :])
        elif name not in done:
            for target in sorted(graph[name]):
                follow(target, [*way, name])
            done.add(name)

    for name in sorted(graph):
        follow(name, [])
    return found


def test_no_module_reaches_itself() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == [["b", "c"]]
    graph = modules_imported()
    assert "polqa_demo.records" in graph["polqa_demo.scoring"]
    assert circles(graph) == []


def test_the_test_sees_what_there_is() -> None:
    assert len(modules()) > 40
    assert any(item.top == "gradio" for item in IMPORTS)
    assert any(item.lazy and item.top == "datasets" for item in IMPORTS)
    assert allowed("submissions", "data")
    assert not allowed("data", "submissions")
    assert not allowed("evaluation", "submissions")


def test_every_room_has_its_place() -> None:
    assert {room_of(file) for file in modules()} <= PLACE.keys()


def test_rooms_use_only_rooms_before_them() -> None:
    wrong = [item for item in IMPORTS if item.target and not (item.target in PLACE and allowed(item.room, item.target))]
    assert told(wrong) == []


def test_nothing_of_the_package_uses_what_stands_beside_it() -> None:
    found = [*IMPORTS, *imports_outside()]
    assert all((ROOT / folder / "__init__.py").is_file() for folder in BESIDE)
    assert told([item for item in found if item.top in (*BESIDE, "tests")]) == []


def test_peft_is_no_dependency_of_the_package() -> None:
    assert told([item for item in IMPORTS if item.top == "peft"]) == []


def test_scores_and_parsers_import_no_model_library_and_no_browser() -> None:
    banned = {"gradio", "torch", "faiss", "transformers", "sentence_transformers"}
    assert told([item for item in IMPORTS if item.room in PURE and item.top in banned]) == []
    only_there = [item for item in IMPORTS if item.top == "datasets" and item.file != "polqa_demo/data/polqa.py"]
    assert told([item for item in only_there if item.room in PURE]) == []


def test_gradio_is_imported_by_the_app_alone_and_ray_by_the_cluster() -> None:
    assert told([item for item in IMPORTS if item.top == "gradio" and item.room != "ui"]) == []
    assert told([item for item in IMPORTS if item.top == "ray" and item.room != "cluster"]) == []


def test_heavy_libraries_are_imported_inside_of_functions() -> None:
    found = [*IMPORTS, *imports_outside()]
    assert told([item for item in found if item.top in HEAVY and not item.lazy]) == []


def test_the_score_needs_no_numpy_or_pandas_at_import() -> None:
    found = [item for item in IMPORTS if item.room in ("submissions", "evaluation", "reports") and not item.lazy]
    assert told([item for item in found if item.top in ("numpy", "pandas")]) == []


def imports_outside() -> list[Import]:
    """The imports of app.py, which stands beside the package."""
    tree = ast.parse((ROOT / "app.py").read_text(encoding="utf-8"))
    return [
        Import("app.py", "app", getattr(node, "lineno", 0), name, lazy)
        for node, lazy in walk(tree, False)
        for name in names(node)
    ]


def environment_uses(file: Path) -> Iterator[tuple[int, str]]:
    for node, _ in walk(ast.parse(file.read_text(encoding="utf-8")), False):
        text = ast.unparse(node) if isinstance(node, ast.Attribute | ast.ImportFrom) else ""
        if text in ("os.environ", "os.getenv", "os.environb") or ("from os import" in text and "env" in text):
            yield getattr(node, "lineno", 0), text


def test_the_environment_is_read_by_the_settings_alone() -> None:
    # Launching the app sets variables for the libraries that it starts.
    launching = {"settings.py", "ui/app.py", "ui/downloads.py"}
    found = {file: list(environment_uses(file)) for file in modules()}
    assert found[PACKAGE / "settings.py"]
    wrong = [
        f"{file.relative_to(ROOT)}:{line} {text}"
        for file, uses in found.items()
        for line, text in uses
        if file.relative_to(PACKAGE).as_posix() not in launching
    ]
    assert wrong == []


@pytest.mark.parametrize("file", modules(), ids=lambda file: file.relative_to(PACKAGE).as_posix())
def test_a_module_has_one_noun_and_under_400_lines(file: Path) -> None:
    assert len(file.read_text(encoding="utf-8").splitlines()) < 400


def test_the_starter_is_short() -> None:
    assert len((ROOT / "app.py").read_text(encoding="utf-8").splitlines()) < 40


def loaded_by(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(*{{name.split('.')[0] for name in sys.modules}})"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    return set(run.stdout.split())


def test_importing_the_app_loads_no_model_library() -> None:
    loaded = loaded_by("import polqa_demo.ui.app")
    assert "gradio" in loaded
    assert loaded & {"torch", "transformers", "sentence_transformers", "datasets", "faiss", "sklearn", "scipy"} == set()


def test_importing_the_score_loads_next_to_nothing() -> None:
    loaded = loaded_by("from polqa_demo.evaluation import score_fuzzy_match, explain_fuzzy_match")
    assert "rapidfuzz" in loaded
    heavy = {"gradio", "torch", "numpy", "pandas", "transformers", "datasets", "faiss", "tantivy", "pydantic", "typer"}
    assert loaded & heavy == set()


def test_the_command_line_loads_no_browser_app_and_no_model_library() -> None:
    loaded = loaded_by("import polqa_demo.cli")
    assert loaded & {"gradio", "torch", "transformers", "datasets", "faiss", "pandas"} == set()
