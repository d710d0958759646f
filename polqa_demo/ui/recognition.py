"""What a person may say about the files that their content does not: the folded rows of choices, and what they mean.

Everything that the command line can overrule about a file can be overruled here.
"""

from dataclasses import dataclass, field
from typing import Any, cast

import gradio as gr

from polqa_demo.errors import Lang
from polqa_demo.evaluation.report import Unanswerable
from polqa_demo.submissions.answers import Duplicates
from polqa_demo.submissions.gold import GoldKind
from polqa_demo.submissions.table import ANSWER_NAMES, Overrides
from polqa_demo.ui.texts import TEXTS, say

AUTO = "auto"
# The choices by name, the first of each the default. One of them takes any text: the name of the answers' column.
CHOICES: dict[str, tuple[str, ...]] = {
    "kind": (AUTO, "answers", "rankings"),
    "encoding": (AUTO, "utf-8", "cp1250", "iso-8859-2", "utf-16"),
    "form": (
        AUTO,
        "lines",
        "csv",
        "tsv",
        "semicolon",
        "jsonl",
        "json",
        "wide",
        "long",
        "ranks",
        "distances",
        "trec",
    ),
    "header": (AUTO, "header", "data"),
    "quotes": (AUTO, "quoted", "unquoted"),
    "answer_column": (AUTO, *ANSWER_NAMES),
    "duplicates": ("refuse", "first", "last"),
    "gold_kind": (AUTO, "gold-answers", "gold-passages"),
    "unanswerable": ("leave-out", "abstain"),
}
_FREE = "answer_column"
# No column has a longer name; what is longer is no choice.
_LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class ReadAs:
    """How files are read and scored, where a person says more than their content."""

    overrides: Overrides = field(default_factory=Overrides)
    duplicates: Duplicates = "refuse"
    gold_kind: GoldKind | None = None
    unanswerable: Unanswerable = "leave-out"


@dataclass(frozen=True, slots=True)
class Recognition:
    """The choices, in the order in which `read_as` takes their values."""

    choices: list[gr.Dropdown]

    def in_language(self, lang: Lang) -> list[Any]:
        """The choices with their labels in a language."""
        return [gr.Dropdown(choices=_labelled(name, lang)) for name in CHOICES]


def defaults() -> list[str]:
    """The values of the choices that nobody has touched."""
    return [values[0] for values in CHOICES.values()]


def build_recognition(t: gr.I18n) -> Recognition:
    """Lays out the folded rows."""
    with gr.Accordion(t("eval.recognition"), open=False, elem_id="recognition"), gr.Row():
        choices = [
            gr.Dropdown(
                _labelled(name, "pl"),
                value=values[0],
                label=t(f"eval.as_{name}"),
                min_width=160,
                allow_custom_value=name == _FREE,
                elem_id=f"as-{name.replace('_', '-')}",
            )
            for name, values in CHOICES.items()
        ]
    return Recognition(choices)


def read_as(*values: str | None) -> ReadAs:
    """What the choices mean; anything that is none of them counts as untouched."""
    said: dict[str, str | None] = {}
    for (name, known), value in zip(CHOICES.items(), values, strict=True):
        said[name] = value if known_choice(name, value) and value != known[0] else None
    kind, gold_kind = said["kind"], said["gold_kind"]
    overrides = Overrides(
        encoding=said["encoding"],
        form=said["form"],
        header={"header": True, "data": False}.get(said["header"] or ""),
        kind="answers" if kind == "answers" else "rankings" if kind == "rankings" else None,
        answer_column=said[_FREE],
        quotes={"quoted": True, "unquoted": False}.get(said["quotes"] or ""),
    )
    return ReadAs(
        overrides,
        cast("Duplicates", said["duplicates"] or "refuse"),
        cast("GoldKind | None", gold_kind.removeprefix("gold-") if gold_kind else None),
        cast("Unanswerable", said["unanswerable"] or "leave-out"),
    )


def known_choice(name: str, value: object) -> bool:
    """Whether a value may be chosen: one of those offered, or where any text may be, a short one."""
    free = name == _FREE and isinstance(value, str) and 0 < len(value.strip()) <= _LONGEST_NAME
    return free or value in CHOICES[name]


def _labelled(name: str, lang: Lang) -> list[tuple[str, str]]:
    if name == _FREE:
        return [(say("choice.auto", lang) if value == AUTO else value, value) for value in CHOICES[name]]
    return [
        (say(f"choice.{value}", lang) if f"choice.{value}" in TEXTS else value.upper(), value)
        for value in CHOICES[name]
    ]
