"""A file of rankings -> question id: ranking. Wide, long, TREC run, JSONL, JSON, a workbook or parquet.

Order: score, highest first (of distances the smallest); equal scores by the rank column where there is one, else by the
order of the file.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from polqa_demo.errors import Problem
from polqa_demo.recognised import Recognised
from polqa_demo.records import Question, Ranking
from polqa_demo.submissions import ranking_problems as tell
from polqa_demo.submissions.alternation import Alternation, about_alternation, find_alternation, passages_and_numbers
from polqa_demo.submissions.containers import Content
from polqa_demo.submissions.coverage import Ids, float_ids, missing_ids
from polqa_demo.submissions.deepest import OTHER_DEPTH
from polqa_demo.submissions.findings import Row
from polqa_demo.submissions.id_choice import IdChoice
from polqa_demo.submissions.id_columns import with_known_ids
from polqa_demo.submissions.list_cells import ListCells
from polqa_demo.submissions.list_members import ITEM_IDS, ListMembers
from polqa_demo.submissions.passage_ids import JudgedPassages, about_passage_ids, looked_up
from polqa_demo.submissions.problems import Refused, refuse
from polqa_demo.submissions.question_texts import QuestionTexts
from polqa_demo.submissions.ranking_columns import Columns, header_columns
from polqa_demo.submissions.ranking_forms import HeadlessForm, headless_form
from polqa_demo.submissions.ranking_lists import PassageList, keyed_rows, rank_lists, rows_by_line
from polqa_demo.submissions.ranking_objects import (
    QuestionKeys,
    RankingObjects,
    are_pairs,
    is_structured,
    pair_rows,
    structured_lists,
    unwrapped,
    with_wide_fields,
)
from polqa_demo.submissions.ranking_order import OtherOrder, Ranked
from polqa_demo.submissions.ranking_readings import about_two_scores
from polqa_demo.submissions.ranking_rows import rank_rows
from polqa_demo.submissions.reading import read_table
from polqa_demo.submissions.row_numbers import with_order_ids
from polqa_demo.submissions.run_objects import Values, run_reading
from polqa_demo.submissions.table import (
    ANSWER_NAMES,
    GOLDS_COLUMNS,
    LIST_NAMES,
    PASSAGE_NAMES,
    QUESTION_NAMES,
    Overrides,
    Table,
    object_field,
)
from polqa_demo.submissions.trec import recognise_trec
from polqa_demo.submissions.wide_columns import WideColumns, about_wide_columns, wide_columns

# The least depth that is kept, whatever the number of questions: what the measures look at.
_LEAST_DEPTH = 100
# Objects by which the form of all is judged.
_SAMPLE = 200


@dataclass(frozen=True, slots=True)
class RankingsFile:
    """Rankings by question id (only of known questions), what the file was taken for, and what was odd.

    `other` is another order that the file names, where it is another; its problem is among the problems. `policies` are
    what somebody overruled of its reading.
    """

    name: str
    form: str
    recognised: Recognised
    rankings: dict[str, Ranking]
    problems: tuple[Problem, ...] = ()
    other: OtherOrder | None = None
    policies: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Read:
    """The form of a file, the table that was read in the end, and what came of it."""

    form: str
    table: Table
    ranked: Ranked


def read_rankings(
    data: Content,
    questions: Sequence[Question],
    name: str = "rankings",
    in_corpus: Callable[[str], bool] | None = None,
    overrides: Overrides | None = None,
    judged: JudgedPassages | None = None,
) -> RankingsFile:
    """Rankings of these questions, from bytes or from a path.

    Only the best of each ranking are kept, as deep as the settings allow (never less than the measures look at).

    :param in_corpus: when given, passage ids that it does not know are reported (they stay in the ranking)
    :param judged: the passages of the gold; when given, a ranking that names none of them is reported
    :raises UserError: not a file of rankings, of another split, or of another length; the problems say why
    """
    overrides = overrides.of_rankings if overrides else None
    table = with_known_ids(read_table(data, name, overrides), {question.id for question in questions})
    table = with_order_ids(table, [question.id for question in questions], QuestionTexts(questions))
    limits = table.limits
    fair = limits.max_ranking_entries // max(1, len(questions))
    depth = max(_LEAST_DEPTH, min(limits.max_ranking_depth, fair))
    ids = Ids({question.id for question in questions})
    read = _read(table, questions, ids, depth, judged.open_ids if judged else ())
    problems = [*read.table.problems, *read.ranked.problems, *ids.problems()]
    rankings, other, renamed = _final(read.ranked, ids, judged.ids if judged and judged.decimal else ())
    problems += renamed
    if not rankings and not problems:
        raise refuse(
            "no-predictions",
            f"Plik {name} nie zawiera żadnego rankingu. Dopisz wiersze z identyfikatorami pytań i fragmentów.",
            f"The file {name} holds no rankings. Add rows of question ids and passage ids.",
        )
    missing = [question.id for question in questions if question.id not in rankings]
    if missing:
        problems.append(missing_ids(missing, "rankingu", "a ranking"))
    in_corpus = looked_up(in_corpus, rankings)
    problems += [*tell.odd_lists(rankings, in_corpus), *about_passage_ids(name, rankings, judged, in_corpus)]
    if other:
        problems.append(other.problem)
    return RankingsFile(name, read.form, _recognised(read), rankings, tuple(problems), other, read.table.policies)


def _recognised(read: _Read) -> Recognised:
    found = read.table.recognised
    if found.form in (read.form, "lines", "tsv", "separated"):
        # Tabs and blanks go without saying.
        return replace(found, form=read.form, separator=found.separator if found.header else "")
    return replace(found, form=f"{read.form} ({found.form})")


def _read(table: Table, questions: Sequence[Question], ids: Ids, depth: int, passages: Collection[str]) -> _Read:
    if table.read_objects:
        table = with_wide_fields(table)
        return _Read(table.form, table, _of_objects(table, questions, ids, depth, IdChoice(ITEM_IDS, passages)))
    if table.header and table.column(LIST_NAMES) is not None and table.column(PASSAGE_NAMES) is None:
        return _Read("wide", table, _of_cells(table, questions, ids, depth))
    wide = wide_columns(table.header) if table.column(PASSAGE_NAMES) is None else None
    # Beside answers, columns of other names are about these.
    if wide is not None and (wide.named or table.column((*ANSWER_NAMES, *GOLDS_COLUMNS)) is None):
        return _Read("wide", table, _of_wide(table, wide, QuestionKeys(questions), ids, depth, passages))
    if table.header:
        columns, told = header_columns(table, passages)
        keys = QuestionKeys(questions) if columns.by_text else None

        def rows() -> Iterator[Row]:
            return table.rows() if keys is None else _with_ids(table.rows(), columns.id_at, keys)

        ranked = _of_pairs(table, rows, columns, ids, depth)
        return _Read("long", table, replace(ranked, problems=[*told, *ranked.problems]))
    return _without_header(table, questions, ids, depth, passages)


def _of_pairs(table: Table, rows: Callable[[], Iterator[Row]], at: Columns, ids: Ids, depth: int) -> Ranked:
    """The rankings of named columns, with the order of a second column of scores where it is another."""
    ranked = rank_rows(table, rows(), at, ids, depth)
    beside = at.beside
    if beside is None:
        return ranked
    other = replace(at, score_at=beside.at, nearest=beside.nearest, beside=None)
    try:
        found = rank_rows(table, rows(), other, ids, OTHER_DEPTH).rankings
    except Refused:
        # What nothing is ordered by may have gaps.
        told = about_two_scores(beside.counted, beside.name, differ=True)
        return replace(ranked, problems=[told, *ranked.problems])
    first = {key: item.passage_ids[:OTHER_DEPTH] for key, item in ranked.rankings.items()}
    differ = {key: item for key, item in found.items() if item.passage_ids[:OTHER_DEPTH] != first.get(key)}
    told = about_two_scores(beside.counted, beside.name, differ=bool(differ))
    if not differ or ranked.other is not None:
        return replace(ranked, problems=[told, *ranked.problems])
    columns = (beside.counted, beside.name)
    return replace(ranked, other=OtherOrder("column", differ, told, columns=columns))


def _with_ids(rows: Iterator[Row], at: int, keys: QuestionKeys) -> Iterator[Row]:
    """Rows with the ids of their questions in place of the texts."""
    for line, cells in rows:
        for key in (keys.of("", cells[at]) if len(cells) > at else ()) or ("",):
            yield line, [*cells[:at], key, *cells[at + 1 :]]


def _of_objects(table: Table, questions: Sequence[Question], ids: Ids, depth: int, choice: IdChoice) -> Ranked:
    first = [row for _, row in islice(table.objects(), _SAMPLE)]
    if not table.keyed and are_pairs(first):
        rows, columns, told = pair_rows(table, questions, first, choice.passages)
        ranked = _of_pairs(table, rows, columns, ids, depth)
        return replace(ranked, problems=[*told, *ranked.problems])
    objects, keyed, told = unwrapped(table, frozenset(question.id for question in questions))
    fields = [object_field(row, LIST_NAMES) for row in first]
    cells = ListCells(table.name, "", [value for value in fields if isinstance(value, str)])
    found = run_reading(objects, keyed, table.overrides.form, choice.passages)

    def lists_of(values: Values) -> RankingObjects:
        return RankingObjects(replace(table, keyed=keyed), objects(), questions, cells, choice, values)

    lists = lists_of(found.values)
    ranked = rank_lists(table, lists, ids, depth)
    better = choice.better()
    if better:
        ranked = _of_objects(table, questions, ids, depth, better[0])
        return replace(ranked, problems=[better[1], *ranked.problems])
    ranked = replace(ranked, problems=[*told, *found.notes, *cells.problems(), *lists.problems(), *ranked.problems])
    if found.doubt is None or found.rival is None:
        return ranked
    rival = rank_lists(table, lists_of(found.rival), ids, OTHER_DEPTH).rankings
    return replace(ranked, other=OtherOrder("reading", rival, found.doubt))


def _of_cells(table: Table, questions: Sequence[Question], ids: Ids, depth: int) -> Ranked:
    """The rows of a table whose cells hold lists."""
    table.only(table.id_names)
    at = table.only(LIST_NAMES) or 0
    sample = [cells[at] for _, cells in table.sample() if len(cells) > at]
    cells = ListCells(table.name, table.header[at], sample)
    rows = ((line, dict(zip(table.header, row, strict=False))) for line, row in table.rows() if any(row))
    lists = RankingObjects(table, rows, questions, cells)
    ranked = rank_lists(table, lists, ids, depth)
    return replace(ranked, problems=[*cells.problems(), *lists.problems(), *ranked.problems])


def _of_wide(
    table: Table, wide: WideColumns, keys: QuestionKeys, ids: Ids, depth: int, passages: Collection[str]
) -> Ranked:
    """The rows of a table with one column a place."""
    id_at, asked_at = table.only(table.id_names), table.only(QUESTION_NAMES)
    if id_at is None and asked_at is None:
        id_at = 0

    def rows() -> Iterator[tuple[int, str, list[str]]]:
        for line, cells in table.rows():
            filled = [*cells, *[""] * (len(table.header) - len(cells))]
            named = keys.of("" if id_at is None else filled[id_at], "" if asked_at is None else filled[asked_at])
            for key in named if any(cells) else ():
                yield line, key, wide.cells(filled)

    sample = [wide.cells([*cells, *[""] * len(table.header)]) for _, cells in table.sample()]
    turns = Alternation(wide.kind) if wide.kind else None
    told = [about_wide_columns(table.header, wide)]
    if turns is None and table.overrides.form != "wide":
        found = find_alternation(sample, passages)
        told += [about_alternation(found, "wide")] if found else []
        turns = found if found and found.taken else None
    ranked = _of_passages(table, rows(), turns, ids, depth)
    return replace(ranked, problems=[*told, *ranked.problems])


def _without_header(
    table: Table, questions: Sequence[Question], ids: Ids, depth: int, passages: Collection[str]
) -> _Read:
    """TREC runs, long rows without their header, wide ones with or without ids, told apart by the first rows."""
    run = recognise_trec(table)
    if run is not None:
        ranked = rank_rows(table, run.rows(table), run.columns(table.overrides.form), ids, depth)
        return _Read("trec", table, replace(ranked, problems=[*run.problems, *ranked.problems]))
    if table.form == "json" and any(is_structured(cells) for _, cells in table.sample()):
        members = ListMembers(table.name, table.overrides.form)
        ranked = rank_lists(table, structured_lists(table, questions, members), ids, depth)
        return _Read("wide", table, replace(ranked, problems=[*members.problems(), *ranked.problems]))
    found = headless_form(table, [question.id for question in questions], passages)
    return _Read(found.form if found.form == "long" else "wide", found.table, _of_rows(found, questions, ids, depth))


def _of_rows(found: HeadlessForm, questions: Sequence[Question], ids: Ids, depth: int) -> Ranked:
    table = found.table
    if found.form == "long":
        ranked = rank_rows(table, table.rows(), found.columns, ids, depth)
        if found.otherwise is not None and not ranked.rising:
            return rank_rows(table, table.rows(), found.otherwise, ids, depth)
    else:
        scored = found.turns is not None
        rows = keyed_rows(table, scored) if found.form == "wide" else rows_by_line(table, questions, scored)
        ranked = _of_passages(table, rows, found.turns, ids, depth)
    ranked = replace(ranked, problems=[*found.notes, *ranked.problems])
    if found.doubt is None or found.rival is None:
        return ranked
    if ranked.other is not None:
        return replace(ranked, problems=[found.doubt, *ranked.problems])
    rival = rank_rows(table, _filled(table, found.rival), found.rival, ids, OTHER_DEPTH).rankings
    return replace(ranked, other=OtherOrder("reading", rival, found.doubt))


def _of_passages(
    table: Table, rows: Iterator[tuple[int, str, list[str]]], turns: Alternation | None, ids: Ids, depth: int
) -> Ranked:
    """Rows `(line, question id, cells)` of passages, best first, or of passages and numbers by turns."""
    if turns is None:
        return rank_lists(table, (PassageList(*row) for row in rows), ids, depth)
    members = ListMembers(table.name, table.overrides.form)

    def lists() -> Iterator[PassageList]:
        for line, key, cells in rows:
            passages, numbers = passages_and_numbers(cells)
            yield members.members(line, key, passages, {turns.numbers: numbers})

    ranked = rank_lists(table, lists(), ids, depth)
    return replace(ranked, problems=[*members.problems(), *ranked.problems])


def _filled(table: Table, at: Columns) -> Iterator[Row]:
    """The rows that have all columns of a reading that nobody asked for."""
    width = max(at.passage_at, at.score_at, at.rank_at)
    return ((line, cells) for line, cells in table.rows() if len(cells) > width)


def _final(
    ranked: Ranked, ids: Ids, decimals: Collection[str]
) -> tuple[dict[str, Ranking], OtherOrder | None, list[Problem]]:
    """The rankings under the ids of the questions, with passage ids such as `511.0` read as `511`.

    :param decimals: ids of judged passages that stood as `511.0` in their file; they are read alike here, whatever the
        other ids of the ranking
    """
    kept = {final: item for key, item in ranked.rankings.items() if (final := ids.final(key)) is not None}
    # Files without any such id, nearly all of them, are spared the second look.
    decimal = any(passage.endswith(".0") for ranking in kept.values() for passage in ranking.passage_ids)
    passages, problems = (
        float_ids(
            (passage for ranking in kept.values() for passage in ranking.passage_ids), set(), "fragmentów", "passages"
        )
        if decimal
        else ({}, [])
    )
    if decimal and not passages:
        named = dict.fromkeys(passage for ranking in kept.values() for passage in ranking.passage_ids)
        passages = {f"{one}.0": one for one in decimals if f"{one}.0" in named and one not in named}
    other = ranked.other
    if other:
        others = {final: item for key, item in other.rankings.items() if (final := ids.final(key)) is not None}
        other = replace(other, rankings=_renamed(others, passages)) if others else None
    return _renamed(kept, passages), other, problems


def _renamed(rankings: Mapping[str, Ranking], passages: Mapping[str, str]) -> dict[str, Ranking]:
    return {
        key: replace(
            ranking,
            question_id=key,
            passage_ids=tuple(passages.get(passage, passage) for passage in ranking.passage_ids)
            if passages
            else ranking.passage_ids,
        )
        for key, ranking in rankings.items()
    }
