"""Results -> HTML, through templates that escape every text of others."""

from collections.abc import Sequence
from functools import cache
from typing import Any, Literal

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

from polqa_demo.errors import Bilingual, Lang, number
from polqa_demo.evaluation.live import LiveCheck
from polqa_demo.evaluation.ranking import HEADLINE, RankingScores
from polqa_demo.evaluation.report import AnswerScores
from polqa_demo.evaluation.shares import Share
from polqa_demo.pipeline import Asked, Hit
from polqa_demo.records import Answer
from polqa_demo.reports.score_texts import explained, interval, mean_text, measure_name, rule_name, score_text
from polqa_demo.retrieval.lexical import matched_spans
from polqa_demo.scoring import Scored
from polqa_demo.ui.tables import shorten
from polqa_demo.ui.texts import say
from polqa_demo.wikipedia import article_id

# The files that a score is about, in this order.
ROLES = ("answers", "rankings", "answers_from_gold")
# What a person is shown of one text; a passage of a book's length would freeze the page.
TEXT_LIMIT = 5_000
NAME_LIMIT = 200
# Confidences are fitted to be shares of right answers: below this an answer is rather wrong, and shown as a guess.
UNSURE = 0.5


@cache
def _templates() -> Environment:
    return Environment(
        # The drawings of the HTML report serve the page as well.
        loader=ChoiceLoader([PackageLoader("polqa_demo.ui"), PackageLoader("polqa_demo.reports")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def quoted(text: str, lang: Lang) -> str:
    """A text in the quotes of the language."""
    return f"„{text}”" if lang == "pl" else f"“{text}”"


def render(template: str, lang: Lang, **values: object) -> str:
    """A template with these values, in one language."""

    def t(key: str) -> str:
        return say(key, lang)

    def num(value: float, digits: int) -> str:
        return number(value, digits, lang)

    def quote(text: str) -> str:
        return quoted(text, lang)

    return _templates().get_template(template).render(t=t, num=num, quote=quote, **values)


def answer_html(asked: Asked, check: LiveCheck | None, lang: Lang) -> str:
    """The answer, where it comes from, how long it took, and whether the gold agrees."""
    source = next((hit.rank for hit in asked.hits if hit.passage.id == asked.answer.passage_id), None)
    return render(
        "answer.html",
        lang,
        answer=asked.answer,
        hits=asked.hits,
        source_rank=source,
        unsure=asked.answer.confidence < UNSURE,
        timings=asked.timings,
        check=check,
    )


def passages_html(asked: Asked, wikipedia_ids: bool, lang: Lang, assumed: Sequence[Bilingual] = ()) -> str:
    """The passages with what was found in them and why they scored; below them what was assumed for the models."""
    return render(
        "passages.html",
        lang,
        hits=[_hit_view(asked.question, asked.answer, hit, wikipedia_ids) for hit in asked.hits],
        assumed=[told.say(lang) for told in assumed],
    )


def _hit_view(question: str, answer: Answer, hit: Hit, wikipedia_ids: bool) -> dict[str, Any]:
    passage = hit.passage
    source = passage.id == answer.passage_id
    span = (answer.start, answer.end) if source and answer.start is not None and answer.end is not None else None
    terms = hit.explanation.terms if hit.explanation else ()
    return {
        "rank": hit.rank,
        "id": passage.id,
        "title": passage.title or passage.id,
        "score": hit.score,
        "source": source,
        "wikipedia": article_id(passage.id) if wikipedia_ids else None,
        "pieces": pieces(passage.text[:TEXT_LIMIT], span, matched_spans(question, passage.text[:TEXT_LIMIT])),
        "terms": sorted(terms, key=lambda term: -term.score),
        "parts": hit.explanation.parts if hit.explanation else (),
        "folded": hit.folded,
    }


def pieces(text: str, answer: tuple[int, int] | None, matched: Sequence[tuple[int, int]]) -> list[dict[str, str]]:
    """A text cut into plain, matched and answer pieces that join to the text; the answer goes over the matches."""
    kinds = [""] * len(text)
    for start, end in matched:
        kinds[start:end] = ["matched"] * (min(end, len(text)) - start)
    if answer:
        kinds[answer[0] : answer[1]] = ["answer"] * (min(answer[1], len(text)) - min(answer[0], len(text)))
    found: list[dict[str, str]] = []
    start = 0
    for place in range(1, len(text) + 1):
        if place == len(text) or kinds[place] != kinds[start]:
            found.append({"text": text[start:place], "kind": kinds[start]})
            start = place
    return found


def asked_html(question: str, lang: Lang) -> str:
    """The question that what stands below answers; nothing for a blank one."""
    return render("asked.html", lang, question=shorten(question)) if question.strip() else ""


def notice_html(message: Bilingual, lang: Lang, kind: Literal["error", "note", "start"] = "error") -> str:
    """One plain message in the place where a result would stand, or above it."""
    return render("notice.html", lang, message=message.say(lang), kind=kind)


def problems_html(scored: Scored, lang: Lang) -> str:
    """What is wrong or odd about the files."""
    return render(
        "problems.html",
        lang,
        problems=[{"message": item.message.say(lang), "lines": item.lines} for item in scored.problems],
        worst=scored.problems[0].severity if scored.problems else "",
        refused=scored.report is None,
        files=_files(scored, lang),
    )


def scores_html(scored: Scored, lang: Lang) -> str:
    """The headline scores with their counts; nothing when the files were refused."""
    report = scored.report
    if report is None:
        return ""
    return render(
        "scores.html",
        lang,
        gold=report.gold,
        gold_form=scored.recognised["gold"].say(lang) if "gold" in scored.recognised else "",
        files=_files(scored, lang),
        answers=_answers_view(report.answers, report.rule, lang) if report.answers else None,
        abstentions=_abstentions_view(report.answers, report.rule, lang) if report.answers else None,
        rankings=_rankings_view(report.rankings, lang) if report.rankings else None,
        signature=report.signature,
    )


def _files(scored: Scored, lang: Lang) -> list[dict[str, str]]:
    """What every file is, its name, and what it was taken for where that is known."""
    known = scored.recognised
    return [
        {
            "role": say(f"eval.{role}", lang),
            "name": scored.files[role][:NAME_LIMIT],
            "form": known[role].say(lang) if role in known else "",
        }
        for role in ROLES
        if role in scored.files
    ]


def _answers_view(scores: AnswerScores, rule: str, lang: Lang) -> dict[str, Any]:
    others = [(other, score_text(share.value, lang)) for other, share in scores.rules.items() if other != rule]
    return {"rule": rule, "name": rule_name(rule), "share": _share_view(scores.rules[rule], lang), "others": others}


def _abstentions_view(scores: AnswerScores, rule: str, lang: Lang) -> dict[str, Any] | None:
    """The questions with and without an answer apart, where both count."""
    if scores.unanswerable is None:
        return None
    shares = {"answerable": scores.answerable[rule], "unanswerable": scores.unanswerable}
    return {name: _share_view(share, lang) for name, share in shares.items()}


def _rankings_view(scores: RankingScores, lang: Lang) -> dict[str, Any]:
    return {
        "name": measure_name(HEADLINE),
        "accuracy": _share_view(scores.headline, lang),
        "all_questions": _share_view(scores.accuracy_all_questions, lang),
        "shares": [
            (measure_name(code), score_text(share.value, lang))
            for code, share in scores.shares.items()
            if code != HEADLINE
        ],
        "means": [(measure_name(code), mean_text(mean.value, lang)) for code, mean in scores.means.items()],
        "explained": explained(scores, lang),
    }


def _share_view(share: Share, lang: Lang) -> dict[str, Any]:
    ends = interval(*share.interval, lang)
    return {"value": score_text(share.value, lang), "interval": ends, "hits": share.hits, "n": share.n}
