"""What the README says of settings and options is what there is."""

import re
from pathlib import Path

from polqa_demo.settings import Settings

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def named_settings() -> set[str]:
    """The variables that the README names; `_KEY` behind `POLQA_CHAT_URL` goes on with the same group."""
    found: set[str] = set()
    group = ""
    for whole, short in re.findall(r"`(POLQA_[A-Z0-9_]+)(?:=1)?`|`(_[A-Z0-9_]+)`", README):
        if whole:
            found.add(whole)
            group = "_".join(whole.split("_")[:2])
        else:
            found.add(group + short)
    return found


def test_every_setting_is_named_and_none_that_is_not() -> None:
    aliases = {name: field.validation_alias for name, field in Settings.model_fields.items()}
    # Variables of Gradio and of the hub keep their names.
    foreign = {alias for alias in aliases.values() if isinstance(alias, str)}
    assert all(f"`{name}" in README for name in foreign)
    known = {f"POLQA_{name.upper()}" for name, alias in aliases.items() if not isinstance(alias, str)}
    assert known - named_settings() == set()
    # Of the tests and of make.
    assert named_settings() - known <= {"POLQA_SHARED"}


def test_defaults_of_limits_are_those_of_the_settings() -> None:
    settings = Settings()
    for name in ("max_upload_mb", "top_k", "max_top_k", "max_question_chars"):
        value = f"{getattr(settings, name):,}"
        assert f"`POLQA_{name.upper()}` ({value})" in README
    for name in ("text_mb", "unpacked_mb", "workbook_mb", "line_chars", "rows", "columns", "answer_chars",
                 "ranking_depth", "ranking_entries"):  # fmt: skip
        assert f"`_{name.upper()}` ({getattr(settings, f'max_{name}'):,})" in README


def test_the_table_of_limits_has_all_of_them_with_their_defaults() -> None:
    table = (Path(__file__).resolve().parents[1] / "docs" / "limits.md").read_text(encoding="utf-8")
    stated = dict(re.findall(r"^\| `(POLQA_\w+)` \| ([\d,]+) \|", table, re.MULTILINE))
    others = ("max_top_k", "max_question_chars")
    limits = [name for name in Settings.model_fields if name.startswith("max_") and name not in others]
    assert {name: float(value.replace(",", "")) for name, value in stated.items()} == {
        f"POLQA_{name.upper()}": float(getattr(Settings(), name)) for name in limits
    }


def test_every_option_of_scoring_is_named() -> None:
    from polqa_demo.cli import evaluating

    for command in (evaluating.score, evaluating.compare):
        for option in command.__annotations__:
            flag = {"json_out": "json", "paths": None, "return": None}.get(option, option)
            assert flag is None or f"--{flag.replace('_', '-')}" in README, option
