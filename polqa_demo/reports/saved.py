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
from typing import Any, Literal

from polqa_demo.data.polqa import GOLD_SOURCES, GoldSource
from polqa_demo.errors import Bilingual
from polqa_demo.evaluation.attribution import Attribution
from polqa_demo.evaluation.fuzzy_match import RULES
from polqa_demo.evaluation.question_ranking import QuestionRanking
from polqa_demo.evaluation.ranking import sum_up
from polqa_demo.evaluation.report import Item, Report, Unanswerable, build_report
from polqa_demo.evaluation.signature import plain_name
from polqa_demo.records import GoldSet, Question
from polqa_demo.reports.report_json import SCHEMA_VERSION, report_json
from polqa_demo.reports.saved_attribution import (
    load_answers_from_gold,
    load_attribution,
    load_stated_counts,
)
from polqa_demo.reports.saved_rankings import load_question_ranking
from polqa_demo.reports.untrusted_json import Node, bad_report, parse_report, shown

MOST_ITEMS = 100_000
MOST_GOLDS = 10_000
MOST_PROBLEMS = 1000
# Over the whole report: each is a dimension to slice by.
MOST_LABELS = 100
_SCORES = ("answers", "rankings", "answers_from_gold", "attribution", "reader_beside")
# What is computed of an item; the rest of it is what is computed from, or other programs' additions.
_COMPUTED = ("correct", "explanation", "first_rank", "correct_from_gold", "cell", "gold_rank")

_SEVERITIES: dict[str, Literal["error", "warning", "note"]] = {
    "error": "error",
    "warning": "warning",
    "note": "note",
}


@dataclass(frozen=True, slots=True)
class StatedProblem:
    """A problem as a report states it; in both languages the one sentence that it was written with."""

    severity: Literal["error", "warning", "note"]
    code: str
    message: Bilingual
    count: int = 1
    lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class LoadedReport:
    """All that a report file holds: the report, the problems of the files behind it, their forms and names by role."""

    report: Report
    problems: tuple[StatedProblem, ...]
    forms: Mapping[str, str]
    files: Mapping[str, str]


def load_saved(data: str | bytes) -> LoadedReport:
    """The report of a file with its problems and forms.

    :raises UserError: `bad-report`, with the place: not a report, another schema_version, a value of the wrong kind or
        beyond bounds, a stated score that the items do not give
    """
    root = _opened(data)
    return LoadedReport(_report(root), _problems(root), _by_role(root, "forms"), _by_role(root, "files"))


def load_report(data: str | bytes) -> Report:
    """The report alone. Raises as `load_saved` does."""
    return _report(_opened(data))


def load_problems(data: str | bytes) -> tuple[StatedProblem, ...]:
    """The problems alone, also of a file that was refused and has no scores. Raises as `load_saved` does."""
    return _problems(_opened(data))


def _opened(data: str | bytes) -> Node:
    root = parse_report(data)
    version = root.key("schema_version")
    if version.value != SCHEMA_VERSION or version.integer() != SCHEMA_VERSION:
        found = shown(version.value)
        version.refuse(
            f"plik ma wersję {found}, ten program czyta wersję {SCHEMA_VERSION}. Wczytaj go programem, który go "
            "zapisał, albo oceń pliki ponownie.",
            f"the file has version {found}, this program reads version {SCHEMA_VERSION}. Load it with the program that "
            "wrote it, or score the files again.",
        )
    return root


def _report(root: Node) -> Report:
    if root.get("items") is None and root.get("secret"):
        raise bad_report(
            "",
            "to raport z oceny względem tajnego złotego zbioru: są w nim same sumy, bez pozycji, z których można by "
            "policzyć wynik na nowo.",
            "this is a report on a secret gold: it holds totals alone, no items from which the score could be counted "
            "again.",
        )
    if root.get("items") is None:
        raise bad_report(
            "",
            "nie ma w nim wyników (items), tylko uwagi o odrzuconych plikach.",
            "it holds no scores (items), only the problems of refused files.",
        )
    rule, gold_source = _policies(root)
    nodes = list(root.key("items").elements(MOST_ITEMS))
    if not nodes:
        root.key("items").refuse("lista jest pusta.", "the list is empty.")
    questions = tuple(_question(node) for node in nodes)
    _refuse_repeated_ids(nodes, questions)
    _refuse_many_labels(nodes, questions)
    empty = _unanswerable(nodes, questions)
    gold = GoldSet(root.key("gold").text(1000), "", questions, unanswerable=empty)
    predictions = ranked = None
    if root.get("answers"):
        predictions = _predictions(nodes, questions, empty)
    else:
        _refuse_any(nodes, "prediction", "answers")
    if root.get("rankings"):
        ranked = _rankings(nodes, questions)
    else:
        _refuse_any(nodes, "ranks", "rankings")
    on_gold = root.get("answers_from_gold")
    kept = _kept_answers_from_gold(on_gold, nodes, questions, empty)
    mode: Unanswerable = "abstain" if empty else "leave-out"
    scored = build_report(gold, predictions, None, rule, gold_source, kept, unanswerable=mode)
    on_gold_scores = scored.answers_from_gold
    if on_gold and kept is None:
        on_gold_scores = load_stated_counts(on_gold, questions, empty)
    items = tuple(_with_ranking(scored.items, ranked))
    report = replace(
        scored,
        signature=root.key("signature").text(2000),
        rankings=sum_up(ranked) if ranked else None,
        items=items,
        answers_from_gold=on_gold_scores,
        attribution=_attribution(root, nodes, items),
    )
    if report.beside is None and (beside := root.get("reader_beside")):
        beside.refuse("brak odpowiedzi, z których wynika.", "the answers that it follows from are absent.")
    _check_signature(root.key("signature"), report)
    _refuse_difference(root.value, report_json(report), "")
    return report


def _policies(root: Node) -> tuple[str, GoldSource]:
    rule = root.key("rule")
    if rule.text(100) not in RULES:
        rule.refuse(f"nieznana reguła. Znane: {', '.join(RULES)}.", f"an unknown rule. Known: {', '.join(RULES)}.")
    rankings = root.get("rankings")
    if rankings is None:
        return rule.text(), "auto"
    stated = rankings.key("gold_source")
    for source in GOLD_SOURCES:
        if stated.text(100) == source:
            return rule.text(), source
    known = ", ".join(GOLD_SOURCES)
    return stated.refuse(f"nieznane źródło. Znane: {known}.", f"an unknown source. Known: {known}.")


def _question(node: Node) -> Question:
    golds, labels = node.get("golds"), node.get("labels")
    question_id = node.key("question_id").text(1000)
    if not question_id.strip():
        node.key("question_id").refuse("identyfikator jest pusty.", "the id is empty.")
    return Question(
        question_id,
        node.key("question").text(),
        tuple(gold.text() for gold in golds.elements(MOST_GOLDS)) if golds else (),
        # An empty label is none.
        {name: text for name, value in labels.entries(MOST_LABELS) if (text := value.text(1000))} if labels else {},
    )


def _refuse_repeated_ids(nodes: Sequence[Node], questions: Sequence[Question]) -> None:
    seen: set[str] = set()
    for node, question in zip(nodes, questions, strict=True):
        if question.id in seen:
            node.key("question_id").refuse(
                f"pytanie {shown(question.id)} stoi drugi raz.", f"question {shown(question.id)} stands here again."
            )
        seen.add(question.id)


def _refuse_many_labels(nodes: Sequence[Node], questions: Sequence[Question]) -> None:
    seen: set[str] = set()
    for node, question in zip(nodes, questions, strict=True):
        seen.update(question.labels)
        if len(seen) > MOST_LABELS:
            node.key("labels").refuse(
                f"różnych etykiet jest ponad {MOST_LABELS}.", f"there are more than {MOST_LABELS} different labels."
            )


def _unanswerable(nodes: Sequence[Node], questions: Sequence[Question]) -> frozenset[str]:
    """Ids of the questions without an answer, where they count."""
    found: set[str] = set()
    for node, question in zip(nodes, questions, strict=True):
        flag = node.get("unanswerable")
        if flag is not None and flag.flag():
            if question.answers:
                flag.refuse("pytanie ma złotą odpowiedź (golds).", "the question has a gold answer (golds).")
            found.add(question.id)
    return frozenset(found)


def _predictions(nodes: Sequence[Node], questions: Sequence[Question], empty: Collection[str]) -> dict[str, str]:
    """Question id -> answer; a missing one is left out. `empty` are questions without an answer that count."""
    from polqa_demo.settings import settings

    longest = settings().max_answer_chars
    found: dict[str, str] = {}
    for node, question in zip(nodes, questions, strict=True):
        if not question.answers and question.id not in empty:
            _refuse_any([node], "prediction", "golds")
            continue
        prediction, missing = node.key("prediction").text(longest), node.get("missing")
        if missing is None or not missing.flag():
            found[question.id] = prediction
        elif prediction:
            node.key("missing").refuse("odpowiedź jednak jest.", "there is an answer, though.")
    if not any(question.answers for question in questions):
        raise bad_report("answers", "żadne pytanie nie ma złotej odpowiedzi.", "no question has a gold answer.")
    return found


def _rankings(nodes: Sequence[Node], questions: Sequence[Question]) -> list[QuestionRanking]:
    found = [load_question_ranking(node, question.id) for node, question in zip(nodes, questions, strict=True)]
    if not any(ranking.gold_passages for ranking in found):
        raise bad_report("rankings", "żadne pytanie nie ma złotego fragmentu.", "no question has a gold passage.")
    graded = any(ranking.grades for ranking in found)
    for node, ranking in zip(nodes, found, strict=True):
        if (ranking.judged is None) != (found[0].judged is None):
            node.refuse("judged stoi tylko przy części pytań.", "judged stands at some questions only.")
        if graded and ranking.gold_passages and not ranking.grades:
            node.refuse("stopnie (grades) stoją tylko przy części pytań.", "grades stand at some questions only.")
    return found


def _refuse_any(nodes: Sequence[Node], name: str, part: str) -> None:
    """Makes sure that no item has what belongs to a part that is absent."""
    for node in nodes:
        if node.get(name) is not None:
            node.key(name).refuse(f"jest, choć brak „{part}”.", f"it is there, though {part!r} is not.")


def _with_ranking(items: Sequence[Item], ranked: Sequence[QuestionRanking] | None) -> Sequence[Item]:
    if ranked is None:
        return items
    return [replace(item, ranking=ranking) for item, ranking in zip(items, ranked, strict=True)]


def _kept_answers_from_gold(
    stated: Node | None, nodes: Sequence[Node], questions: Sequence[Question], empty: Collection[str]
) -> dict[str, str] | None:
    """The answers on gold passages; None where there are none, or none were saved."""
    from polqa_demo.settings import settings

    if stated is None:
        for name in ("prediction_from_gold", "correct_from_gold"):
            _refuse_any(nodes, name, "answers_from_gold")
        return None
    return load_answers_from_gold(nodes, questions, settings().max_answer_chars, empty)


def _attribution(root: Node, nodes: Sequence[Node], items: Sequence[Item]) -> Attribution | None:
    stated = root.get("attribution")
    if stated is None:
        _refuse_any(nodes, "attribution", "attribution")
        return None
    for part in ("answers", "rankings"):
        root.key(part)
    return load_attribution(stated, nodes, items)


def _check_signature(node: Node, report: Report) -> None:
    """The signature has its form and speaks of as many questions and the same policies as the report."""
    name, *parts = report.signature.split("|")
    if name != "polqa-demo" or not all(re.fullmatch(r"[a-z-]+:[^\r\n]*", part) for part in parts):
        node.refuse("to nie jest sygnatura wyniku.", "this is not the signature of a score.")
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
            node.refuse(
                f"{key}:{said[key][:60]}, a w raporcie jest {value}.",
                f"{key}:{said[key][:60]}, the report has {value}.",
            )


def _refuse_difference(stated: Any, computed: Any, place: str) -> None:
    """Refuses the first value that a report states otherwise than its items give; what it leaves out is no matter."""
    if isinstance(stated, dict) and isinstance(computed, dict):
        node = Node(stated, place)
        for name, value in stated.items():
            if name in computed:
                _refuse_difference(value, computed[name], node.below(name))
            elif place.partition(".")[0] in _SCORES or (place.startswith("items[") and name in _COMPUTED):
                _differs(node.below(name), value, None)
    elif isinstance(stated, list) and isinstance(computed, list) and len(stated) == len(computed):
        for index, pair in enumerate(zip(stated, computed, strict=True)):
            _refuse_difference(*pair, f"{place}[{index}]")
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


def _differs(place: str, stated: object, computed: object) -> None:
    pl, en = ("nic", "nothing") if computed is None else (shown(computed), shown(computed))
    raise bad_report(
        place,
        f"podano {shown(stated)}, a z items wynika {pl}. Wczytaj raport niezmieniony; raport innej wersji programu "
        "zastąp nowym, oceniając pliki ponownie.",
        f"{shown(stated)} is stated, but the items give {en}. Load the report as it was written; replace one of "
        "another version of the program by scoring the files again.",
    )


def _problems(root: Node) -> tuple[StatedProblem, ...]:
    listed = root.get("problems")
    return tuple(_problem(node) for node in listed.elements(MOST_PROBLEMS)) if listed else ()


def _problem(node: Node) -> StatedProblem:
    severity = node.key("severity")
    if severity.text(100) not in _SEVERITIES:
        severity.refuse("wolno: error, warning, note.", "allowed: error, warning, note.")
    message = node.key("message").text()
    count, lines = node.get("count"), node.get("lines")
    return StatedProblem(
        _SEVERITIES[severity.text()],
        node.key("code").text(200),
        Bilingual(message, message),
        count.integer() if count else 1,
        tuple(line.integer(highest=10**12) for line in lines.elements(1000)) if lines else (),
    )


def _by_role(root: Node, key: str) -> dict[str, str]:
    told = root.get(key)
    return {role: text.text(1000) for role, text in told.entries(20)} if told else {}
