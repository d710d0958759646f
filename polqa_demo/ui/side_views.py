"""One question in every run -> HTML: the answers below one another, the rankings side by side with gold marked."""

from collections.abc import Callable
from typing import Any

from polqa_demo.comparison import Compared
from polqa_demo.data.polqa import gold_passages
from polqa_demo.errors import Lang
from polqa_demo.evaluation.fuzzy_match import score_fuzzy_match
from polqa_demo.evaluation.run_fusion import Ranked, SideBySide, side_by_side
from polqa_demo.records import GoldSet
from polqa_demo.ui.render import notice_html, render
from polqa_demo.ui.tables import shorten
from polqa_demo.ui.texts import TEXTS

TitleOf = Callable[[str], str | None]
NO_RANK = "–"


def question_html(found: Compared, gold: GoldSet, question_id: str, rule: str, title_of: TitleOf, lang: Lang) -> str:
    """The question with its gold, every run's answer, and the first ten of every ranking.

    `found` names its questions (no secret gold); `title_of` gives the title of a passage where it is known.
    """
    wanted = question_id.strip()
    question = next((one for one in gold.questions if one.id == wanted), None)
    if question is None:
        message = TEXTS["beside_runs.unknown" if wanted else "beside_runs.start"]
        return notice_html(message, lang, "error" if wanted else "start")
    passages = gold_passages(gold).get(question.id, ())
    return render(
        "side.html",
        lang,
        question=question,
        answers=[
            {
                "run": name,
                "text": shorten(given.get(question.id, "")),
                "right": score_fuzzy_match(given.get(question.id, ""), question.answers, rule),
            }
            for name, given in found.predictions.items()
        ],
        rankings=_rankings(side_by_side(question.id, found.rankings, passages), title_of) if found.rankings else None,
    )


def _rankings(found: SideBySide, title_of: TitleOf) -> dict[str, Any]:
    return {
        "names": found.names,
        "rows": [[_passage(cell, title_of) if cell else None for cell in row] for row in found.rows],
        "gold": [
            (passage, title_of(passage), [ranks[name] or NO_RANK for name in found.names])
            for passage, ranks in found.gold_ranks.items()
        ],
    }


def _passage(found: Ranked, title_of: TitleOf) -> dict[str, Any]:
    return {
        "id": found.passage_id,
        "title": title_of(found.passage_id),
        "gold": found.gold,
        "elsewhere": [(name, rank or NO_RANK) for name, rank in found.elsewhere.items()],
    }
