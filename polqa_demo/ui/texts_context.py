"""Texts of the interface, in Polish and in English: plots, published figures, and what each measure means."""

from polqa_demo.errors import Bilingual

CONTEXT: dict[str, Bilingual] = {}
