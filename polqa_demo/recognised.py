"""What a file was taken for, in parts and in words of either language."""

import re
from dataclasses import dataclass
from typing import Any

from polqa_demo.errors import Lang

# What is said beside the names that the options know, which stay as they are typed.
_POLISH_FORMS = {
    "lines": "wiersze (lines)",
    "separated": "kolumny",
    "wide": "lista w wierszu (wide)",
    "long": "para w wierszu (long)",
    "golds": "złote odpowiedzi w wierszach (golds)",
    "passages": "złote fragmenty w wierszach (passages)",
    "qrels": "oceny trafności (qrels)",
    "pairs": "pary pytanie–fragment (pairs)",
    "questions": "pytania w wierszach (questions)",
    "topics": "tematy TREC (topics)",
}


@dataclass(frozen=True, slots=True)
class Recognised:
    """What a file was taken for; `wrapped` names what it was packed in."""

    form: str
    encoding: str = ""
    separator: str = ""
    header: tuple[str, ...] = ()
    wrapped: tuple[str, ...] = ()

    def say(self, lang: Lang = "en") -> str:
        """`gzip, csv, UTF-8, header`; in Polish `gzip, csv, UTF-8, nagłówek`."""
        named = {"pl": ("nagłówek", "bez nagłówka"), "en": ("header", "no header")}[lang]
        parts = [*self.wrapped, self.form if lang == "en" else _in_polish(self.form), self.encoding]
        if self.separator or self.header:
            parts.append(named[0] if self.header else named[1])
        return ", ".join(part for part in parts if part)

    def json(self) -> dict[str, Any]:
        """The same as plain JSON."""
        found = {"form": self.form, "encoding": self.encoding, "separator": self.separator}
        lists = {"header": list(self.header), "packed_in": list(self.wrapped)}
        return {name: value for name, value in (found | lists).items() if value}


def _in_polish(form: str) -> str:
    """A form's name, such as `long (csv)`, in Polish where it has one."""
    return re.sub(r"[a-z]+", lambda word: _POLISH_FORMS.get(word[0], word[0]), form)
