"""Scoring from Python: `evaluate` and `compare`, with names, files or values, read as every door reads them.

from polqa_demo import evaluate

report = evaluate("polqa-demo-sample/test", answers="answers.jsonl", rankings={"1": ["100-0", "101-0"]})
report.answers.fuzzy_match.value, report.rankings["accuracy@10"].ci95
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from datetime import date, datetime, time
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polqa_demo.data.columns import names_of
from polqa_demo.data.polqa import GoldSource
from polqa_demo.errors import Lang, Problem
from polqa_demo.evaluation.analysis import Analysis, analyse
from polqa_demo.evaluation.report import AnswerScores, Item, Report, Unanswerable
from polqa_demo.evaluation.shares import Mean, Share
from polqa_demo.gold_sets import open_gold
from polqa_demo.parsing.parser import Upload
from polqa_demo.records import GoldSet
from polqa_demo.reports.exports import EXPORTS
from polqa_demo.scoring import Scored, score_uploads
from polqa_demo.submissions.answers import Duplicates
from polqa_demo.submissions.gold import read_gold
from polqa_demo.submissions.problems import Refused
from polqa_demo.submissions.table import Overrides

if TYPE_CHECKING:
    import pandas as pd

    from polqa_demo.comparison import Compared

Source = str | PathLike[str] | Mapping[str, Any] | Sequence[Any] | Any
"""A file's path, or what a file would hold: a list in the gold's order, question id -> value, rows, a data frame."""


@dataclass(frozen=True, slots=True)
class Score:
    """A score of 0..1 over `n` questions with its 95 % interval.

    `hits` are the questions that are right (`correct` or `hits` in the JSON report); None of a mean of other values.
    """

    value: float
    n: int
    ci95: tuple[float, float]
    hits: int | None = None


class AnswersResult(Mapping[str, Score]):
    """The share of right answers by every rule: `answers["exact"].value`; `fuzzy_match` is the headline's."""

    def __init__(self, scores: AnswerScores, rule: str) -> None:
        self._scores, self._rule = scores, rule
        self.n = scores.rules[rule].n
        self.answered, self.missing = scores.answered, scores.missing

    @property
    def fuzzy_match(self) -> Score:
        """The score by the rule that was asked for."""
        return self[self._rule]

    def __getitem__(self, rule: str) -> Score:
        return _of_share(self._scores.rules[rule])

    def __iter__(self) -> Any:
        return iter(self._scores.rules)

    def __len__(self) -> int:
        return len(self._scores.rules)


class Evaluation:
    """What files are worth: scores, items, problems, and the report in every form.

    `scored` and `report` are what the other doors show; `signature` says under which policies it was scored.
    """

    def __init__(self, scored: Scored, report: Report) -> None:
        self.scored, self.report = scored, report

    @property
    def signature(self) -> str:
        """Scores with equal signatures may be compared."""
        return self.report.signature

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is odd about the files, worst first."""
        return self.scored.problems

    @property
    def items(self) -> tuple[Item, ...]:
        """Every question with its prediction, its verdict and its ranking, in the gold's order."""
        return self.report.items

    @property
    def answers(self) -> AnswersResult | None:
        """The scores of the answers by rule; None where none were given."""
        return AnswersResult(self.report.answers, self.report.rule) if self.report.answers else None

    @cached_property
    def rankings(self) -> Mapping[str, Score] | None:
        """The scores of the rankings by measure, `accuracy@10` and others; None where none were given.

        Intervals of means are drawn (10,000 resamples), which takes a moment for thousands of questions.
        """
        if self.report.rankings is None:
            return None
        return {name: self._score(name, one) for name, one in self.report.rankings.scores.items()}

    @cached_property
    def analysis(self) -> Analysis:
        """Slices, audit and uncertainty; computed when first asked for."""
        return analyse(self.report)

    def to_dict(self, lang: Lang = "en") -> dict[str, Any]:
        """The report as `score --json` writes it."""
        return self.scored.json(lang, self.analysis)

    def to_json(self, lang: Lang = "en") -> str:
        """The report as the text of a JSON file, which the app and `evaluate` can show again."""
        return json.dumps(self.to_dict(lang), ensure_ascii=False, indent=2, allow_nan=False)

    def to_html(self, lang: Lang = "en") -> str:
        """The whole report as one HTML file."""
        return self._written("html", lang)

    def to_latex(self, lang: Lang = "en") -> str:
        """The report without its items, to be included in a document."""
        return self._written("latex", lang)

    def to_markdown(self, lang: Lang = "en") -> str:
        """The report without its items as Markdown."""
        return self._written("markdown", lang)

    def to_pandas(self) -> "pd.DataFrame":
        """The items as a data frame, a question a row, with the columns of `items.csv`.

        :raises ImportError: pandas is not installed
        :raises UserError: the gold is secret, so there are no items
        """
        import io

        import pandas as pd

        # Texts such as None and NA are answers.
        return pd.read_csv(
            io.StringIO(self._written("csv", "en")), dtype={"question_id": str}, keep_default_na=False, na_values=[""]
        )

    def _score(self, name: str, score: Share | Mean) -> Score:
        if isinstance(score, Share):
            return _of_share(score)
        if self.analysis.rankings is None:  # a secret gold tells no intervals of means
            return Score(score.value, score.n, (float("nan"), float("nan")))
        drawn = self.analysis.rankings.intervals[name]
        return Score(score.value, score.n, (drawn.low, drawn.high))

    def _written(self, form: str, lang: Lang) -> str:
        return EXPORTS[form].write(self.report, self.problems, self.analysis, lang)


def evaluate(  # noqa: PLR0913 - what is scored, and each policy
    gold: Source | GoldSet,
    answers: Source | None = None,
    rankings: Source | None = None,
    *,
    rule: str = "poleval",
    gold_source: GoldSource = "auto",
    answers_from_gold: Source | None = None,
    questions: Source | None = None,
    corpus: Sequence[str | PathLike[str]] = (),
    duplicates: Duplicates = "refuse",
    unanswerable: Unanswerable = "leave-out",
    form: str | None = None,
    answer_column: str | None = None,
) -> Evaluation:
    """Scores answers and/or rankings against gold.

    :param gold: a registered name (`polqa/test`), else a path; or rows, as PolQA's own or `question_id`, `answers`
    :param answers: a path; texts in the gold's order; question id -> text; rows; a data frame
    :param rankings: a path; question id -> passage ids, or -> passage id -> score; rows; a data frame
    :param rule: of the headline: poleval, readme, card or exact
    :param gold_source: which gold passages count: auto (human ones for validation and test), human or all
    :param answers_from_gold: the same reader's answers on gold passages
    :param questions: texts and order of the questions, for gold that holds answers alone
    :param corpus: files of passages; with answers and rankings, errors are attributed to retriever and reader
    :param duplicates: which of several different answers to one question counts: refuse (none), first or last
    :param unanswerable: questions whose gold is empty: leave-out, or abstain (an empty answer is right there)
    :param form: what a file is, where its content does not say
    :param answer_column: the column or field of the answers
    :raises UserError: a file is refused; a `Refused` has the `problems`
    :raises ValueError: an unknown rule or gold source
    :raises TypeError: values that are no file's content
    """
    from polqa_demo.data.passage_texts import CorpusTexts

    known = Overrides(form=form, answer_column=answer_column)
    ranked = _upload("rankings", rankings, known)
    gold_set = _gold(gold, _upload("questions", questions), [ranked] if ranked else [])
    texts = CorpusTexts([Path(path) for path in corpus]) if corpus else None
    scored = score_uploads(
        gold_set,
        _upload("answers", answers, known),
        ranked,
        rule,
        gold_source,
        texts.__contains__ if texts else None,
        _upload("answers_from_gold", answers_from_gold, known),
        duplicates,
        text_of=texts.text_of if texts else None,
        unanswerable=unanswerable,
    )
    if scored.report is None:
        raise Refused(scored.problems)
    return Evaluation(scored, scored.report)


def compare(
    gold: Source | GoldSet,
    runs: Mapping[str, Source] | Sequence[str | PathLike[str]],
    *,
    rule: str = "poleval",
    gold_source: GoldSource = "auto",
    questions: Source | None = None,
    duplicates: Duplicates = "refuse",
    unanswerable: Unanswerable = "leave-out",
) -> "Compared":
    """Compares answers with one another, and rankings with one another.

    :param gold: as `evaluate` takes it
    :param runs: files, or name -> what `evaluate` takes as answers or as rankings
    :raises UserError: nothing is left to compare; a `Refused` has the `problems`
    :raises ValueError: an unknown rule or gold source
    """
    from polqa_demo.comparison import compare_uploads

    named = runs if isinstance(runs, Mapping) else {str(path): path for path in runs}
    uploads = [upload for name, run in named.items() if (upload := _upload(name, run))]
    found = compare_uploads(
        _gold(gold, _upload("questions", questions), uploads),
        uploads,
        rule,
        gold_source,
        unanswerable=unanswerable,
        duplicates=duplicates,
    )
    if not found.comparisons:
        raise Refused(found.problems)
    return found


def _gold(gold: Source | GoldSet, questions: Upload | None, rankings: Sequence[Upload]) -> GoldSet:
    """A gold set from whatever stands for one.

    :raises UserError: it cannot be used
    """
    if isinstance(gold, GoldSet):
        return gold
    if not isinstance(gold, str | PathLike):
        return read_gold(_written_down("gold", gold), "gold")
    opened, refused = open_gold(str(gold), None, questions, rankings)
    if refused is not None:
        raise Refused(refused.problems)
    assert opened is not None
    return opened


def _upload(name: str, source: Source | None, known: Overrides | None = None) -> Upload | None:
    """A file, or values as the file they would be; None for nothing."""
    if source is None:
        return None
    overrides = known or Overrides()
    if isinstance(source, str | PathLike):
        return Upload(Path(source).name if name in _ROLES else name, path=Path(source), overrides=overrides)
    return Upload(name, _written_down(name, source), overrides=overrides)


_ROLES = ("answers", "rankings", "answers_from_gold", "questions")


def _written_down(name: str, source: Any) -> bytes:
    """Values as JSON; a data frame or a data set as its rows.

    :raises TypeError: values that JSON does not hold
    """
    if isinstance(source, bytes | bytearray):
        message = f"{name}: bytes are no values; write them to a file and give its path"
        raise TypeError(message)
    if isinstance(source, set | frozenset):
        message = f"{name}: a set has no order; give a list or question id -> value"
        raise TypeError(message)
    if hasattr(source, "to_pandas"):
        source = source.to_pandas()
    if hasattr(source, "to_dict") and hasattr(source, "index"):
        source = _rows(source)
    rows = {str(key): value for key, value in source.items()} if isinstance(source, Mapping) else list(source)
    try:
        return json.dumps(rows, ensure_ascii=False, default=_plain).encode("utf-8", "surrogatepass")
    except (TypeError, ValueError) as error:
        message = f"{name}: {error}; give a path, texts, question id -> value, rows or a data frame"
        raise TypeError(message) from error


def _rows(source: Any) -> Any:
    """A data frame of pandas as its rows; a series as index -> value, or as a list where its index only counts.

    An index that says more than the row's number is a column, the question's id where it has no other name.
    """
    counts = source.index.name is None and list(source.index) == list(range(len(source)))
    if source.ndim == 1:
        return source.tolist() if counts else dict(zip(source.index.map(str), source.tolist(), strict=True))
    if not counts and source.index.nlevels == 1:
        named = source.index.name is not None or any(name in source.columns for name in names_of("question_id"))
        source = (source if named else source.rename_axis("question_id")).reset_index()
    # Through objects, since pandas' own JSON rounds numbers and makes numbers of dates.
    return source.astype(object).to_dict("records")


def _plain(value: Any) -> Any:
    """What JSON has no word for: records, arrays, numbers of NumPy, dates."""
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, Mapping):
        return dict(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    if type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, datetime) and value == datetime.combine(value.date(), time.min):
        return value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    message = f"a value of the type {type(value).__name__} is no text, number, list or object"
    raise TypeError(message)


def _of_share(share: Share) -> Score:
    return Score(share.value, share.n, share.interval, share.hits)
