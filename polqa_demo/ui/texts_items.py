"""Texts of the interface, in Polish and in English: the table of items and the detail of one."""

from polqa_demo.errors import Bilingual

ITEMS: dict[str, Bilingual] = {}
