"""Whose fault, and the reader on gold passages beside retrieved ones, as sections of a report."""

from polqa_demo.errors import Lang
from polqa_demo.evaluation.attribution import CELLS, Attribution, ReaderBeside
from polqa_demo.evaluation.shares import Share
from polqa_demo.reports.score_texts import interval, percent, score_text
from polqa_demo.reports.tables import Column, Section, Table
from polqa_demo.reports.texts import say


def attribution_section(found: Attribution, lang: Lang) -> Section:
    """The eight cells with what they mean, the three ceilings, and what could not be looked at."""
    counts, n = found.counts, len(found.items)
    cells = tuple(
        (
            cell.name.say(lang),
            cell.explanation.say(lang),
            str(counts[cell.code]),
            percent(counts[cell.code] / n, lang),
        )
        for cell in CELLS
    )
    columns = (
        Column(say("attribution.cell", lang)),
        Column(say("attribution.meaning", lang), wide=True),
        Column(say("attribution.questions", lang), True),
        Column(say("causes.share", lang), True),
    )
    ceilings = {
        "passage": found.passage_ceiling,
        "answer": found.answer_ceiling,
        "either": found.either_ceiling,
    }
    rows = tuple(_share_row(say(f"attribution.{name}", lang), share, lang) for name, share in ceilings.items())
    title = say("attribution", lang)
    summary = " · ".join(f"{cell.name.say(lang)} {counts[cell.code]}" for cell in CELLS if counts[cell.code])
    tables = (
        Table(title, columns, cells),
        Table(say("attribution.ceilings", lang), _share_columns("scores.hits", lang), rows),
    )
    return Section("attribution", title, summary, tables, tuple(_notes(found, lang)))


def _notes(found: Attribution, lang: Lang) -> list[str]:
    notes = [say("attribution.note", lang)]
    if found.unread:
        notes.append(say("attribution.unread", lang).format(count=found.unread))
    if found.without_gold_passage:
        notes.append(f"{say('attribution.without', lang)}: {len(found.without_gold_passage)}.")
    return notes


def beside_section(found: ReaderBeside, lang: Lang) -> Section:
    """The same reader on gold and on retrieved passages: both scores, and how their answers go together."""
    shares = {"on_gold": found.on_gold, "on_retrieved": found.on_retrieved}
    both = tuple(_share_row(say(f"beside.{name}", lang), share, lang) for name, share in shares.items())
    groups = {
        "both": found.both,
        "only_gold": found.only_gold,
        "only_retrieved": found.only_retrieved,
        "neither": found.neither,
    }
    counts = tuple(
        (say(f"beside.{name}", lang), str(len(ids)), percent(len(ids) / found.n, lang)) for name, ids in groups.items()
    )
    title = say("beside", lang)
    columns = (
        Column(say("beside.group", lang)),
        Column(say("attribution.questions", lang), True),
        Column(say("causes.share", lang), True),
    )
    tables = (
        Table(title, _share_columns("beside.right", lang), both),
        Table(say("beside.together", lang), columns, counts),
    )
    summary = " · ".join(f"{row[0]} {row[1]}" for row in both)
    return Section("beside", title, summary, tables, (say("beside.note", lang),))


def _share_columns(hits: str, lang: Lang) -> tuple[Column, ...]:
    return (
        Column(say("scores.measure", lang)),
        Column(say("causes.share", lang), True),
        Column(say("scores.interval", lang), True),
        Column(say(hits, lang), True),
        Column(say("scores.n", lang), True),
    )


def _share_row(name: str, share: Share, lang: Lang) -> tuple[str, ...]:
    return name, score_text(share.value, lang), interval(*share.interval, lang), str(share.hits), str(share.n)
