"""The folded parts about whole files: retriever times reader, and the comparison of several runs."""

from typing import Any

import gradio as gr

from polqa_demo.ui.attribution_part import build_attribution
from polqa_demo.ui.comparison_part import build_comparison
from polqa_demo.ui.part import Part
from polqa_demo.ui.service import Service


def build_file_parts(service: Service, state: gr.State, which: Any, lang: gr.Textbox, t: gr.I18n) -> list[Part]:
    """Lays out both parts and wires them; `which` is the filter of the items, set by a press."""
    return [
        build_attribution(service, state, which, lang, t),
        build_comparison(service, state, lang, t),
    ]
