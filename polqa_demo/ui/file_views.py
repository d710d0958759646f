"""Attribution and comparison -> HTML, through the templates that escape every text of others; the pool as CSV."""

import csv
import io
from collections.abc import Sequence
from typing import Any

from polqa_demo.comparison import Compared
from polqa_demo.data.polqa import COLUMNS
from polqa_demo.errors import Lang, number
from polqa_demo.evaluation.attribution import CELLS, Attribution
from polqa_demo.evaluation.compare import Comparison, flips
from polqa_demo.evaluation.export import harmless
from polqa_demo.evaluation.pool import PoolRow
from polqa_demo.evaluation.ranking import Share
from polqa_demo.ui.analysis_views import percent, probability, signed
from polqa_demo.ui.render import render

IDS_SHOWN = 5


def attribution_html(found: Attribution, lang: Lang) -> str:
    """The eight cells with their counts and first questions, and how far the retriever lets the reader go."""
    total = len(found.items)
    return render(
        "attribution.html",
        lang,
        cells=[
            {
                "name": cell.name.say(lang),
                "explanation": cell.explanation.say(lang),
                "count": len(ids),
                "share": percent(len(ids) / total, lang) if total else "",
                "first": ids[:IDS_SHOWN],
                "more": len(ids) > IDS_SHOWN,
            }
            for cell in CELLS
            for ids in [found.ids(cell.code)]
        ],
        total=total,
        ceilings={
            "passage": _share(found.passage_ceiling, lang),
            "answer": _share(found.answer_ceiling, lang),
            "either": _share(found.either_ceiling, lang),
        },
        unread=found.unread,
        without=len(found.without_gold_passage),
    )


def _share(share: Share, lang: Lang) -> str:
    return f"{percent(share.value, lang)} ({share.hits}/{share.n})"


def comparison_html(found: Compared, lang: Lang) -> str:
    """Every measure: the runs, best first, and every pair with its test and its flips."""
    return render(
        "comparison.html",
        lang,
        problems=[problem.message.say(lang) for problem in found.problems if problem.severity == "error"],
        measures=[_measure(one, lang) for one in found.comparisons],
        signature=found.signature,
    )


def _measure(found: Comparison, lang: Lang) -> dict[str, Any]:
    runs = {run.name: run for run in found.runs}
    rows = []
    for pair in found.differences:
        parted, test = flips(runs[pair.first], runs[pair.second]), pair.test
        rows.append(
            {
                "first": pair.first,
                "second": pair.second,
                "difference": signed(100 * test.difference, lang),
                "interval": f"[{number(100 * test.low, 1, lang)}; {number(100 * test.high, 1, lang)}]",
                "p": probability(pair.adjusted_p, lang),
                "sure": pair.adjusted_p < 0.05,
                "outcomes": f"{test.outcomes.wins} / {test.outcomes.ties} / {test.outcomes.losses}",
                "won": parted.won[:IDS_SHOWN],
                "lost": parted.lost[:IDS_SHOWN],
            }
        )
    return {
        "name": found.measure,
        "n": found.n,
        "runs": [(run.name, percent(run.mean, lang)) for run in sorted(found.runs, key=lambda run: -run.mean)],
        "pairs": rows,
        "oracle": percent(found.oracle.value, lang),
    }


def pool_csv(rows: Sequence[PoolRow]) -> str:
    """Unjudged passages that hold a gold answer, in PolQA's columns, with `relevant` left to the annotator."""
    out = io.StringIO()
    out.write("\ufeff")
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\r\n", extrasaction="ignore")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: harmless(value) for name, value in row.columns().items()})
    return out.getvalue()
