"""Texts of the interface, in Polish and in English: retriever times reader, and the comparison of runs."""

from polqa_demo.errors import Bilingual

COMPARE: dict[str, Bilingual] = {}
