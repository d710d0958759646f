"""A score is named and written alike on the page, on the command line and in every export."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from polqa_demo.cli import text as cli_text
from polqa_demo.comparison import compare_uploads
from polqa_demo.data.catalogue import DEFAULT_GOLD
from polqa_demo.data.sample import predictions_file
from polqa_demo.errors import Lang
from polqa_demo.evaluation import RULES
from polqa_demo.evaluation.analysis import analyse
from polqa_demo.records import GoldSet, Judgement, Question
from polqa_demo.reports.html import report_html
from polqa_demo.reports.latex import report_latex
from polqa_demo.reports.markdown import report_markdown
from polqa_demo.scoring import PARSER, Upload, score_uploads
from polqa_demo.submissions.gold import load_gold
from polqa_demo.ui.analysis_views import slices_html, uncertainty_html
from polqa_demo.ui.comparison_views import comparison_html
from polqa_demo.ui.plot_views import published_html
from polqa_demo.ui.render import scores_html
from polqa_demo.ui.saved import open_saved

GOLD = load_gold(DEFAULT_GOLD)
FILES = [Upload(name, predictions_file(name).read_bytes()) for name in ("answers-good.jsonl", "rankings-good.tsv")]


def plain(text: str) -> str:
    """What is read of a text: no markup, no backslashes, plain blanks."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>|[\\*]", " ", text).replace("~", " "))


def everywhere(report: Any, scored: Any, lang: Lang) -> dict[str, str]:
    return {
        "page": plain(scores_html(scored, lang)),
        "command line": plain(cli_text.report(report, lang)),
        "HTML": plain(report_html(report, lang=lang)),
        "Markdown": plain(report_markdown(report, lang=lang).replace("\\", "")),
        "LaTeX": plain(report_latex(report, lang=lang).replace("\\", "")),
    }


@pytest.mark.parametrize("lang", ["pl", "en"])
@pytest.mark.parametrize("rule", RULES)
def test_the_rule_and_the_digits_are_the_same_everywhere(rule: str, lang: Lang, tmp_path: Path) -> None:
    scored = score_uploads(GOLD, *FILES, rule=rule)
    path = tmp_path / "report.json"
    path.write_text(json.dumps(scored.json(lang)), encoding="utf-8")
    opened = open_saved([str(path)], PARSER)
    assert opened is not None
    assert opened.report == scored.report
    report = opened.report
    assert report.answers is not None
    assert report.rankings is not None
    mark = "," if lang == "pl" else "."
    share, hits = report.answers.rules[rule], report.rankings.headline
    for door, text in everywhere(report, opened.scored, lang).items():
        assert f"fuzzy_match ({rule})" in text, door
        for one in (share, hits, report.rankings.accuracy_all_questions):
            assert f"{100 * one.value:.2f}".replace(".", mark) + " %" in text, door
        for mean in (report.rankings["mrr@10"].value, report.rankings["ndcg@10"].value):
            assert f"{mean:.4f}".replace(".", mark) in text, door


@pytest.mark.parametrize("rule", RULES)
def test_the_page_names_its_own_rule_and_the_others_beside(rule: str) -> None:
    scored = score_uploads(GOLD, FILES[0], rule=rule)
    text = plain(scores_html(scored, "en"))
    assert scored.report is not None
    assert scored.report.answers is not None
    assert re.search(rf"fuzzy_match \({rule}\) {100 * scored.report.answers.rules[rule].value:.2f} %", text)
    assert f"The rule {rule}" in text
    others = [
        f"{other} {100 * share.value:.2f} %" for other, share in scored.report.answers.rules.items() if other != rule
    ]
    assert f"other rules: {' · '.join(others)}" in text
    analysis = analyse(scored.report)
    assert f"fuzzy_match ({rule})" in plain(slices_html(analysis, "pl"))
    assert f"fuzzy_match ({rule})" in plain(uncertainty_html(analysis, "pl"))
    assert f"fuzzy_match ({rule})" in plain(published_html(scored.report, "polqa/test", "pl"))


def compared(*texts: str, gold: GoldSet = GOLD, rule: str = "poleval") -> Any:
    return compare_uploads(gold, [Upload(f"r{at}", text.encode()) for at, text in enumerate(texts)], rule, draws=50)


def test_the_comparison_has_the_command_lines_words() -> None:
    first, second = ("answers-good.jsonl", "answers-weak.txt")
    found = compare_uploads(GOLD, [Upload(name, predictions_file(name).read_bytes()) for name in (first, second)])
    page, told = plain(comparison_html(found, "en")), plain(cli_text.comparison(found, "en"))
    (pair,) = found.comparisons[0].differences
    difference = f"{'+' if pair.test.difference > 0 else '−'}{abs(100 * pair.test.difference):.2f}"
    for text in (page, told):
        assert "fuzzy_match (poleval)" in text
        assert f"{difference} " in text
        assert "Newcombe’s" in text
        for run in found.comparisons[0].runs:
            assert f"{100 * run.mean:.2f} %" in text
    assert "bootstrap" not in page


def test_runs_that_agree_everywhere_have_an_interval_of_some_width() -> None:
    right = json.dumps({one.id: one.answers[0] for one in GOLD.questions})
    found = compared(right, right, rule="exact")
    told = found.json()["comparisons"][0]["differences"][0]
    assert (told["difference"], told["interval"], told["wins"], told["losses"]) == (0, "newcombe", 0, 0)
    assert told["ci95"] == pytest.approx([-told["ci95"][1], told["ci95"][1]])
    assert told["ci95"][1] > 0.02
    assert "[−2.7; +2.7]" in plain(comparison_html(found, "en"))
    assert "[−2,7; +2,7]" in cli_text.comparison(found, "pl")


def test_equal_means_are_told_as_what_they_are() -> None:
    questions = tuple(Question(str(n), "") for n in range(9))
    gold = GoldSet("g", "", questions, tuple(Judgement(str(n), "a", 1) for n in range(9)))
    run = "qid,pid,score\n" + "".join(f"{n},x,2\n{n},a,1\n" for n in range(9))
    found = compared(run, run, gold=gold)
    by_measure = {one["measure"]: one for one in found.json()["comparisons"]}
    assert {one["differences"][0]["interval"] for one in by_measure.values()} == {"newcombe", "bound"}
    mrr = by_measure["mrr@10"]
    unseen = 1 - 0.025 ** (1 / 9)
    assert mrr["differences"][0]["ci95"] == pytest.approx([-unseen, unseen])
    assert mrr["runs"][0]["interval"] == "bound"
    assert mrr["runs"][0]["ci95"] == pytest.approx([0.5 * (1 - unseen), 0.5 + 0.5 * unseen])
    assert by_measure["accuracy@10"]["runs"][0]["interval"] == "wilson"
    page = plain(comparison_html(found, "en"))
    assert "the bootstrap has nothing to draw" in page
    assert "The interval of the difference: the bootstrap’s" not in page
    report = score_uploads(gold, rankings=Upload("r.csv", run.encode())).report
    assert report is not None
    for text in (report_html(report, lang="en"), uncertainty_html(analyse(report), "en")):
        assert "the bootstrap has nothing to draw" in plain(text)
        assert "[0.5000–0.5000]" not in plain(text)
