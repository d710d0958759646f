"""A report from its JSON: the same view again. What is loaded is scored anew, and no stated score is taken on trust.

A report is an upload, so that everything is bounded and checked. Items are what counts: verdicts and measures are
computed from them, and a report that states another score than its own items give is refused, not marked: shown beside
the items a wrong score would be worse than none. What cannot be computed again from a report alone is only checked for
agreement: the checksum of the gold in the signature, at which rank an answer stands in a text (`answer_rank`), and the
counts of `answers_from_gold` in a report that was saved without the answers behind them.
"""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from polqa_demo.errors import Bilingual, Problem
from polqa_demo.evaluation.attribution import Attribution
from polqa_demo.evaluation.fuzzy_match import RULES
from polqa_demo.evaluation.question_ranking import QuestionRanking
from polqa_demo.evaluation.ranking import sum_up
from polqa_demo.evaluation.report import Item, Report, Unanswerable, build_report
from polqa_demo.evaluation.signature import plain_name
from polqa_demo.records import GoldSet, Question
from polqa_demo.reports.report_json import SCHEMA_VERSION, report_json
from polqa_demo.reports.saved_attribution import load_answers_from_gold, load_attribution, load_stated_counts
from polqa_demo.reports.saved_rankings import load_question_ranking
from polqa_demo.reports.saved_schema import MOST_LABELS, SavedFile, SavedItem, SavedReport, checked, needed, refusal
from polqa_demo.reports.untrusted_json import Place, bad_report, parse_report, shown

_SCORES = ("answers", "rankings", "answers_from_gold", "attribution", "reader_beside")
# What an item holds for a part of the report alone.
_PARTS = {
    "prediction": "answers",
    "ranks": "rankings",
    "prediction_from_gold": "answers_from_gold",
    "correct_from_gold": "answers_from_gold",
    "attribution": "attribution",
}
# What is computed of an item; the rest of it is what is computed from, or other programs' additions.
_COMPUTED = ("correct", "explanation", "first_rank", "correct_from_gold", "cell", "gold_rank")


@dataclass(frozen=True, slots=True)
class LoadedReport:
    """All that a report file holds: the report, the problems of the files behind it, their forms and names by role.

    A problem says in both languages the one sentence that it was written with.
    """

    report: Report
    problems: tuple[Problem, ...]
    forms: Mapping[str, str]
    files: Mapping[str, str]


def load_saved(data: str | bytes, max_answer_chars: int | None = None) -> LoadedReport:
    """The report of a file with its problems and forms.

    :param max_answer_chars: the longest answer; None: the setting of that name
    :raises UserError: `bad-report`, with the place: not a report, another schema_version, a value of the wrong kind or
        beyond bounds, a stated score that the items do not give
    """
    root = _opened(data)
    if "items" not in root and "secret" in root:
        raise bad_report(
            (),
            "to raport z oceny względem tajnego złotego zbioru: są w nim same sumy, bez pozycji, z których można by "
            "policzyć wynik na nowo.",
            "this is a report on a secret gold: it holds totals alone, no items from which the score could be counted "
            "again.",
        )
    if "items" not in root:
        raise bad_report(
            (),
            "nie ma w nim wyników (items), tylko uwagi o odrzuconych plikach.",
            "it holds no scores (items), only the problems of refused files.",
        )
    saved = checked(SavedReport, root)
    return LoadedReport(_report(root, saved, max_answer_chars), _problems(saved), saved.forms, saved.files)


def load_report(data: str | bytes) -> Report:
    """The report alone. Raises as `load_saved` does."""
    return load_saved(data).report


def load_problems(data: str | bytes) -> tuple[Problem, ...]:
    """The problems alone, also of a file that was refused and has no scores. Raises as `load_saved` does."""
    return _problems(checked(SavedFile, _opened(data)))


def _problems(saved: SavedFile) -> tuple[Problem, ...]:
    return tuple(
        Problem(one.severity, one.code, Bilingual(one.message, one.message), one.count, tuple(one.lines))
        for one in saved.problems
    )


def _opened(data: str | bytes) -> dict[str, Any]:
    root = parse_report(data)
    version = needed([root["schema_version"]] if "schema_version" in root else None, "schema_version", ())[0]
    if type(version) in (bool, float):
        raise refusal("int_type", ("schema_version",), version)
    if version != SCHEMA_VERSION:
        found = shown(version)
        raise bad_report(
            ("schema_version",),
            f"plik ma wersję {found}, ten program czyta wersję {SCHEMA_VERSION}. Wczytaj go programem, który go "
            "zapisał, albo oceń pliki ponownie.",
            f"the file has version {found}, this program reads version {SCHEMA_VERSION}. Load it with the program that "
            "wrote it, or score the files again.",
        )
    return root


def _report(root: Mapping[str, Any], saved: SavedReport, max_answer_chars: int | None) -> Report:
    if saved.rule not in RULES:
        raise refusal("literal_error", ("rule",), saved.rule, expected=", ".join(RULES))
    if not saved.items:
        raise bad_report(("items",), "lista jest pusta.", "the list is empty.")
    questions = _questions(saved.items)
    empty = _unanswerable(saved.items)
    _refuse_long_answers(saved.items, max_answer_chars)
    _refuse_strays(root, saved.items)
    predictions = _predictions(saved.items, empty) if "answers" in root else None
    ranked = _rankings(saved.items) if saved.rankings else None
    kept = load_answers_from_gold(saved.items, questions, empty) if "answers_from_gold" in root else None
    mode: Unanswerable = "abstain" if empty else "leave-out"
    source = saved.rankings.gold_source if saved.rankings else "auto"
    gold = GoldSet(saved.gold, "", questions, unanswerable=empty)
    scored = build_report(gold, predictions, None, saved.rule, source, kept, unanswerable=mode)
    on_gold_scores = scored.answers_from_gold
    if "answers_from_gold" in root and kept is None:
        on_gold_scores = load_stated_counts(root["answers_from_gold"], questions, empty)
    items = scored.items
    if ranked:
        items = tuple(replace(item, ranking=ranking) for item, ranking in zip(items, ranked, strict=True))
    report = replace(
        scored,
        signature=saved.signature,
        rankings=sum_up(ranked) if ranked else None,
        items=items,
        answers_from_gold=on_gold_scores,
        attribution=_attribution(root, saved, items),
    )
    if report.beside is None and "reader_beside" in root:
        raise bad_report(
            ("reader_beside",), "brak odpowiedzi, z których wynika.", "the answers that it follows from are absent."
        )
    _check_signature(report)
    _refuse_difference(root, report_json(report))
    return report


def _questions(items: Sequence[SavedItem]) -> tuple[Question, ...]:
    """The questions, of different ids, with few labels over all."""
    seen: set[str] = set()
    labels: set[str] = set()
    for index, item in enumerate(items):
        if not item.question_id.strip():
            raise bad_report(("items", index, "question_id"), "identyfikator jest pusty.", "the id is empty.")
        if item.question_id in seen:
            name = shown(item.question_id)
            raise bad_report(
                ("items", index, "question_id"),
                f"pytanie {name} stoi drugi raz.",
                f"question {name} stands here again.",
            )
        seen.add(item.question_id)
        labels.update(item.labels or ())
        # Each is a dimension to slice by.
        if len(labels) > MOST_LABELS:
            raise bad_report(
                ("items", index, "labels"),
                f"różnych etykiet jest ponad {MOST_LABELS}.",
                f"there are more than {MOST_LABELS} different labels.",
            )
    return tuple(
        Question(
            item.question_id,
            item.question,
            tuple(item.golds or ()),
            # An empty label is none.
            {name: value for name, value in (item.labels or {}).items() if value},
        )
        for item in items
    )


def _unanswerable(items: Sequence[SavedItem]) -> frozenset[str]:
    """Ids of the questions without an answer, where they count."""
    for index, item in enumerate(items):
        if item.unanswerable and item.golds:
            raise bad_report(
                ("items", index, "unanswerable"),
                "pytanie ma złotą odpowiedź (golds).",
                "the question has a gold answer (golds).",
            )
    return frozenset(item.question_id for item in items if item.unanswerable)


def _refuse_long_answers(items: Sequence[SavedItem], max_answer_chars: int | None) -> None:
    from polqa_demo.settings import settings

    longest = settings().max_answer_chars if max_answer_chars is None else max_answer_chars
    for index, item in enumerate(items):
        for name in ("prediction", "prediction_from_gold"):
            text = getattr(item, name)
            if text is not None and len(text) > longest:
                raise refusal("string_too_long", ("items", index, name), text, max_length=longest)


def _predictions(items: Sequence[SavedItem], empty: Collection[str]) -> dict[str, str]:
    """Question id -> answer; a missing one is left out. `empty` are questions without an answer that count."""
    found: dict[str, str] = {}
    for index, item in enumerate(items):
        if not item.golds and item.question_id not in empty:
            if item.prediction is not None:
                raise refusal("stray", ("items", index, "prediction"), part="golds")
            continue
        prediction = needed(item.prediction, "prediction", ("items", index))
        if not item.missing:
            found[item.question_id] = prediction
        elif prediction:
            raise bad_report(("items", index, "missing"), "odpowiedź jednak jest.", "there is an answer, though.")
    if not any(item.golds for item in items):
        raise bad_report(("answers",), "żadne pytanie nie ma złotej odpowiedzi.", "no question has a gold answer.")
    return found


def _rankings(items: Sequence[SavedItem]) -> list[QuestionRanking]:
    found = [load_question_ranking(item, ("items", index)) for index, item in enumerate(items)]
    if not any(ranking.gold_passages for ranking in found):
        raise bad_report(("rankings",), "żadne pytanie nie ma złotego fragmentu.", "no question has a gold passage.")
    graded = any(ranking.grades for ranking in found)
    for index, ranking in enumerate(found):
        if (ranking.judged is None) != (found[0].judged is None):
            raise bad_report(
                ("items", index), "judged stoi tylko przy części pytań.", "judged stands at some questions only."
            )
        if graded and ranking.gold_passages and not ranking.grades:
            raise bad_report(
                ("items", index),
                "stopnie (grades) stoją tylko przy części pytań.",
                "grades stand at some questions only.",
            )
    return found


def _refuse_strays(root: Mapping[str, Any], items: Sequence[SavedItem]) -> None:
    """Makes sure that no item has what belongs to a part that is absent."""
    for name, part in _PARTS.items():
        if part not in root:
            for index, item in enumerate(items):
                if getattr(item, name) is not None:
                    raise refusal("stray", ("items", index, name), part=part)


def _attribution(root: Mapping[str, Any], saved: SavedReport, items: Sequence[Item]) -> Attribution | None:
    if saved.attribution is None:
        return None
    for part in ("answers", "rankings"):
        if part not in root:
            raise refusal("missing", (), name=part)
    return load_attribution(saved.items, items)


def _check_signature(report: Report) -> None:
    """The signature has its form and speaks of as many questions and the same policies as the report."""
    name, *parts = report.signature.split("|")
    if name != "polqa-demo" or not all(re.fullmatch(r"[a-z-]+:[^\r\n]*", part) for part in parts):
        raise bad_report(("signature",), "to nie jest sygnatura wyniku.", "this is not the signature of a score.")
    said = dict(part.split(":", 1) for part in parts)
    known = {"n": str(len(report.items)), "rule": report.rule}
    said["gold"] = said.get("gold", "").rpartition("@")[0]
    known["gold"] = plain_name(report.gold)
    if any(item.abstained is not None or item.abstained_from_gold is not None for item in report.items):
        known["no-gold"] = "abstain"
    if report.rankings:
        known |= {"gold-source": report.gold_source, "gains": report.rankings.gains}
    for key, value in known.items():
        if said.get(key, value) != value:
            raise bad_report(
                ("signature",),
                f"{key}:{said[key][:60]}, a w raporcie jest {value}.",
                f"{key}:{said[key][:60]}, the report has {value}.",
            )


def _refuse_difference(stated: Any, computed: Any, place: Place = ()) -> None:
    """Refuses the first value that a report states otherwise than its items give; what it leaves out is no matter."""
    if isinstance(stated, dict) and isinstance(computed, dict):
        for name, value in stated.items():
            if name in computed:
                _refuse_difference(value, computed[name], (*place, name))
            elif place[:1] and (place[0] in _SCORES or (place[0] == "items" and name in _COMPUTED)):
                _differs((*place, name), value, None)
    elif isinstance(stated, list) and isinstance(computed, list) and len(stated) == len(computed):
        for index, pair in enumerate(zip(stated, computed, strict=True)):
            _refuse_difference(*pair, (*place, index))
    elif not _same(stated, computed):
        _differs(place, stated, computed)


def _same(stated: object, computed: object) -> bool:
    """Equal values; numbers may have lost their last digits on the way through another program."""
    if isinstance(stated, bool) or isinstance(computed, bool):
        return stated is computed
    if isinstance(stated, int | float) and isinstance(computed, int | float):
        # Whole numbers of any size are compared as such: one beyond all floats is no reason to fail.
        return stated == computed or (
            abs(stated) < 1e18 and math.isclose(stated, computed, rel_tol=1e-9, abs_tol=1e-12)
        )
    return type(stated) is type(computed) and stated == computed


def _differs(place: Place, stated: object, computed: object) -> None:
    pl, en = ("nic", "nothing") if computed is None else (shown(computed), shown(computed))
    raise bad_report(
        place,
        f"podano {shown(stated)}, a z items wynika {pl}. Wczytaj raport niezmieniony; raport innej wersji programu "
        "zastąp nowym, oceniając pliki ponownie.",
        f"{shown(stated)} is stated, but the items give {en}. Load the report as it was written; replace one of "
        "another version of the program by scoring the files again.",
    )
