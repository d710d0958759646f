"""What lies behind the scores as sections of a report: slices, uncertainty, the audit of the file."""

from collections.abc import Sequence

from polqa_demo.errors import Lang, number
from polqa_demo.evaluation.analysis import Analysis, AnswerAnalysis, RankingAnalysis
from polqa_demo.evaluation.question_ranking import CUTOFF
from polqa_demo.evaluation.shares import Share
from polqa_demo.evaluation.slices import ALL, Slice, Slices, TwoWay
from polqa_demo.reports.plots import SURE
from polqa_demo.reports.score_texts import interval, p_value, percent, rule_name, score_text, signed
from polqa_demo.reports.slice_names import slice_name, slice_value
from polqa_demo.reports.tables import (
    CELL,
    Column,
    Section,
    Table,
    foreign,
)
from polqa_demo.reports.texts import say

WORDS_SHOWN = 12
# More columns do not fit a page.
COLUMNS_SHOWN = 6


def slices_section(behind: Analysis, lang: Lang) -> Section:
    """Slices of both measures that are large enough, and the question words that go with errors."""
    tables: list[Table] = []
    notes = [say("slices.note", lang)]
    parts: list[tuple[str, AnswerAnalysis | RankingAnalysis | None]] = [(f"accuracy@{CUTOFF}", behind.rankings)]
    if behind.answers:
        parts.insert(0, (rule_name(behind.answers.rule), behind.answers))
    found: list[Slice] = []
    for measure, part in parts:
        if part is None:
            continue
        large = [row for row in part.slices.rows if not row.small]
        found += large
        if small := len(part.slices.rows) - len(large):
            notes.append(f"{measure}: {say('slices.small', lang)}: {small}.")
        if large:
            tables.append(_slice_table(measure, large, part.slices, lang))
    if behind.answers and behind.answers.two_way:
        crossed = _turned(behind.answers.two_way)
        tables.append(_two_way_table(rule_name(behind.answers.rule), crossed, lang))
        if len(crossed.columns) > COLUMNS_SHOWN:
            notes.append(f"{say('two_way.cut', lang)}: {len(crossed.columns) - COLUMNS_SHOWN}.")
    if behind.answers and (words := _word_table(behind.answers, lang)):
        tables.append(words)
    sure = sum(_is_sure(row) for row in found)
    summary = f"{say('slices.count', lang)}: {len(found)}, {say('slices.sure', lang)}: {sure}"
    return Section("slices", say("slices", lang), summary, tuple(tables), tuple(notes))


def _slice_table(measure: str, rows: Sequence[Slice], slices: Slices, lang: Lang) -> Table:
    columns = (
        Column(say("slices.slice", lang)),
        Column(say("slices.value", lang)),
        Column(say("scores.n", lang), True),
        Column(say("scores.value", lang), True),
        Column(say("scores.interval", lang), True),
        Column(say("slices.difference", lang), True),
        Column(say("slices.p", lang), True),
    )
    whole = f"{say('slices.whole', lang)}: {score_text(slices.hits / slices.n, lang)}, N = {slices.n}"
    cells = tuple(
        (
            slice_name(row.name, lang),
            slice_value(row.name, row.value, lang),
            str(row.n),
            percent(row.share, lang),
            interval(row.low, row.high, lang),
            "" if row.difference is None else signed(row.difference, lang),
            "" if row.adjusted_p is None else p_value(row.adjusted_p, lang),
        )
        for row in rows
    )
    strong = frozenset(place for place, row in enumerate(rows) if _is_sure(row))
    return Table(f"{say('slices', lang)}: {measure} ({whole})", columns, cells, strong)


def _turned(table: TwoWay) -> TwoWay:
    """The same with the dimension of more values downwards, where there is room."""
    if len(table.columns) <= len(table.rows):
        return table
    cells = {(column, row): share for (row, column), share in table.cells.items()}
    return TwoWay(table.by_column, table.by_row, table.columns, table.rows, cells)


def _two_way_table(measure: str, table: TwoWay, lang: Lang) -> Table:
    shown, everything = table.columns[:COLUMNS_SHOWN], say("two_way.all", lang)
    names = [slice_value(table.by_column, value, lang) for value in shown]
    columns = (
        Column(slice_name(table.by_row, lang)),
        *(Column(name, True) for name in (*names, everything)),
    )
    rows = [
        (
            everything if row == ALL else slice_value(table.by_row, row, lang),
            *(_two_way_cell(table.cells.get((row, column)), lang) for column in (*shown, ALL)),
        )
        for row in (*table.rows, ALL)
    ]
    title = f"{measure}: {slice_name(table.by_row, lang)} × {slice_name(table.by_column, lang)}"
    return Table(title, columns, tuple(rows))


def _two_way_cell(share: Share | None, lang: Lang) -> str:
    """`55,6 % (5/9)`; a dash where no question is."""
    return f"{percent(share.value, lang)} ({share.hits}/{share.n})" if share and share.n else "–"


def _is_sure(row: Slice) -> bool:
    return row.adjusted_p is not None and row.adjusted_p < SURE


def _word_table(found: AnswerAnalysis, lang: Lang) -> Table | None:
    telling = [feature for feature in found.features if feature.difference > 0][:WORDS_SHOWN]
    columns = (
        Column(say("words.word", lang)),
        Column(say("scores.n", lang), True),
        Column(say("words.with", lang), True),
        Column(say("words.without", lang), True),
        Column(say("slices.p", lang), True),
    )
    rows = tuple(
        (
            foreign(word.word, 40),
            str(word.n),
            percent(word.error_rate, lang, 0),
            percent(word.other_error_rate, lang, 0),
            p_value(word.adjusted_p, lang),
        )
        for word in telling
    )
    return Table(say("words", lang), columns, rows) if rows else None


def uncertainty_section(behind: Analysis, lang: Lang) -> Section:
    """Bounds, the smallest difference that can be told apart, the noise floor, verdicts that hang on the rule."""
    columns = (Column(say("uncertainty.what", lang), wide=True), Column(say("uncertainty.value", lang), wide=True))
    tables = []
    if behind.answers:
        tables.append(Table(rule_name(behind.answers.rule), columns, tuple(_answer_uncertainty(behind.answers, lang))))
    if behind.rankings:
        tables.append(Table(f"accuracy@{CUTOFF}", columns, tuple(_common_uncertainty(behind.rankings, lang))))
    points = say("uncertainty.points", lang)
    smallest = [part.smallest.unpaired for part in (behind.answers, behind.rankings) if part]
    told = [f"{number(100 * value, 1, lang)} {points}" for value in smallest if value is not None]
    summary = f"{say('uncertainty.unpaired', lang)}: {', '.join(told) or '–'}"
    return Section("uncertainty", say("uncertainty", lang), summary, tuple(tables), (say("uncertainty.note", lang),))


def _common_uncertainty(part: AnswerAnalysis | RankingAnalysis, lang: Lang) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    if part.bounds[0] < part.bounds[1]:
        rows.append((say("uncertainty.bounds", lang), interval(*part.bounds, lang)))
    for name, value in (("unpaired", part.smallest.unpaired), ("paired", part.smallest.paired)):
        if value is not None:
            told = f"{number(100 * value, 1, lang)} {say('uncertainty.points', lang)}"
            rows.append((say(f"uncertainty.{name}", lang), told))
    return rows


def _answer_uncertainty(found: AnswerAnalysis, lang: Lang) -> list[tuple[str, ...]]:
    rows = _common_uncertainty(found, lang)
    if found.floor:
        rows.append((say("uncertainty.yes", lang), percent(found.floor.yes.value, lang)))
        rows.append((say("uncertainty.commonest", lang), percent(found.floor.commonest.value, lang)))
        if chance := found.floor.another:
            told = f"{percent(chance.value, lang)} {interval(chance.low, chance.high, lang)}"
            rows.append((say("uncertainty.another", lang), told))
    for flip in found.flips:
        told = (
            f"{say('uncertainty.lost', lang)}: {len(flip.lost)}, {say('uncertainty.gained', lang)}: {len(flip.gained)}"
        )
        rows.append((f"{say('uncertainty.flips', lang)} {flip.rule}", told))
    like = percent(found.lookalikes.share, lang)
    if found.lookalikes.is_gold:
        like = f"{like} – {say('uncertainty.is_gold', lang)}"
    return [*rows, (say("uncertainty.like_gold", lang), like)]


def audit_section(found: AnswerAnalysis, lang: Lang) -> Section:
    """What the writing of the answers costs."""
    damages = [*found.audit.damages, *([found.audit.together] if found.audit.together else [])]
    columns = (
        Column(say("audit.damage", lang)),
        Column(say("audit.affected", lang), True),
        Column(say("audit.points", lang), True),
        Column(say("audit.net", lang), True),
        Column(say("audit.examples", lang), wide=True),
    )
    rows = tuple(
        (
            damage.title.say(lang),
            str(damage.affected),
            signed(damage.points, lang),
            signed(damage.net_points, lang),
            foreign(
                "; ".join(
                    f"{place.question_id}: {place.written[:CELL]} → {place.repaired[:CELL]}" for place in damage.places
                ),
                200,
            ),
        )
        for damage in damages
    )
    title = say("audit", lang)
    if not rows:
        return Section(
            "audit", title, say("audit.clean", lang), (), (say("audit.clean", lang), say("audit.note", lang))
        )
    summary = f"{damages[-1].title.say(lang)}: {signed(damages[-1].points, lang)} {say('uncertainty.points', lang)}"
    return Section("audit", title, summary, (Table(title, columns, rows),), (say("audit.note", lang),))
