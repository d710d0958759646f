"""What a person may say about the files that their content does not: the folded row of choices, and its overrides."""

from dataclasses import dataclass
from typing import Any

import gradio as gr

from polqa_demo.errors import Lang
from polqa_demo.submissions.table import Overrides
from polqa_demo.ui.texts import TEXTS, say

AUTO = "auto"
KINDS = (AUTO, "answers", "rankings")
ENCODINGS = (AUTO, "utf-8", "cp1250", "iso-8859-2", "utf-16")
FORMS = (AUTO, "lines", "csv", "tsv", "semicolon", "jsonl", "json", "wide", "long", "trec")
HEADERS = (AUTO, "header", "data")


@dataclass(frozen=True, slots=True)
class Recognition:
    """The four choices, in the order in which `overrides` takes their values."""

    choices: list[gr.Dropdown]

    def in_language(self, lang: Lang) -> list[Any]:
        """The choices with their labels in a language."""
        return [gr.Dropdown(choices=_labelled(values, lang)) for values in (KINDS, ENCODINGS, FORMS, HEADERS)]


def build_recognition(t: gr.I18n) -> Recognition:
    """Lays out the folded row."""
    named = {"kind": KINDS, "encoding": ENCODINGS, "form": FORMS, "header": HEADERS}
    with gr.Accordion(t("eval.recognition"), open=False, elem_id="recognition"), gr.Row():
        choices = [
            gr.Dropdown(
                _labelled(values, "pl"), value=AUTO, label=t(f"eval.{name}"), min_width=160, elem_id=f"as-{name}"
            )
            for name, values in named.items()
        ]
    return Recognition(choices)


def overrides(kind: str, encoding: str, form: str, header: str) -> Overrides:
    """The choices as overrides; anything that is none of them counts as `auto`."""
    return Overrides(
        encoding=encoding if encoding in ENCODINGS[1:] else None,
        form=form if form in FORMS[1:] else None,
        header={"header": True, "data": False}.get(header),
        kind="answers" if kind == "answers" else "rankings" if kind == "rankings" else None,
    )


def _labelled(values: tuple[str, ...], lang: Lang) -> list[tuple[str, str]]:
    return [(say(f"choice.{value}", lang) if f"choice.{value}" in TEXTS else value.upper(), value) for value in values]
