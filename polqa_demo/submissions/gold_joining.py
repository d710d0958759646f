"""Gold beside a file of questions: their order and texts, and the ids of both as rankings are read."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from polqa_demo.errors import Bilingual, Problem, counted
from polqa_demo.records import GoldSet, Question
from polqa_demo.submissions.coverage import float_ids
from polqa_demo.submissions.problems import first_places, refuse


def with_whole_ids(gold: GoldSet) -> GoldSet:
    """Ids of questions, and of passages, that all look like `101.0` or `101` as `101`: the way rankings are read."""
    questions, told = float_ids((question.id for question in gold.questions), set(), "pytań", "questions")
    passages, more = float_ids((item.passage_id for item in gold.judgements), set(), "fragmentów", "passages")
    if not questions and not passages:
        return gold
    renamed = _renamed(gold, questions)
    return replace(
        renamed,
        judgements=tuple(
            replace(item, passage_id=passages.get(item.passage_id, item.passage_id)) for item in renamed.judgements
        ),
        remarks=(*gold.remarks, *told, *more),
        decimal_passages=bool(passages),
    )


def _renamed(gold: GoldSet, ids: Mapping[str, str]) -> GoldSet:
    """The gold with other ids of questions; those that are not named keep theirs."""

    def new(key: str) -> str:
        return ids.get(key, key)

    return replace(
        gold,
        questions=tuple(replace(question, id=new(question.id)) for question in gold.questions),
        judgements=tuple(replace(item, question_id=new(item.question_id)) for item in gold.judgements),
        splits={new(key): split for key, split in gold.splits.items()},
        unanswerable=frozenset(map(new, gold.unanswerable)),
    )


def by_line(gold: GoldSet, questions: Sequence[Question], name: str) -> GoldSet:
    """The gold of line n for the question of line n, whatever ids the questions have. Blank lines behind the last
    question are none.

    :raises Refused: another number of lines than of questions, or texts that say that they are others
    """
    own = gold.questions
    judged = {item.question_id for item in gold.judgements}
    surplus = own[len(questions) :]
    empty = bool(surplus) and not any(one.answers or one.text or one.id in judged for one in surplus)
    if len(own) != len(questions) and not empty:
        raise refuse(
            "wrong-length",
            f"Złoty zbiór {name} ma wierszy: {len(own)}, a plik pytań: {len(questions)}. To nie ta sama część?",
            f"The gold {name} has {counted(len(own), 'line', 'lines')}, the questions file {len(questions)}. Not the "
            "same part?",
        )
    pairs = enumerate(zip(own, questions, strict=False), 1)
    other = [number for number, (one, two) in pairs if one.text and two.text and _key(one.text) != _key(two.text)]
    if other:
        raise refuse(
            "other-questions",
            f"Złoty zbiór {name} i plik pytań mają w tych samych wierszach różne pytania, wierszy: {len(other)}. To "
            "nie ta sama część, albo inna kolejność?",
            f"The gold {name} and the questions file have different questions on the same lines, lines: {len(other)}. "
            "Not the same part, or another order?",
            len(other),
            other,
        )
    left_out = {question.id for question in surplus}
    kept = replace(gold, questions=own[: len(questions)], unanswerable=gold.unanswerable - left_out)
    # Numbers may be the ids of other questions, so all are renamed at once.
    renamed = _renamed(kept, {old.id: new.id for old, new in zip(kept.questions, questions, strict=True)})
    texts = {question.id: question.text for question in questions}
    told: tuple[Problem, ...] = ()
    if surplus:
        message = Bilingual(
            f"Puste wiersze za złotem ostatniego pytania pominięto: {len(surplus)}.",
            f"Blank lines behind the gold of the last question were left out: {len(surplus)}.",
        )
        told = (Problem("note", "blank-lines-dropped", message, len(surplus)),)
    return replace(
        renamed,
        questions=tuple(replace(one, text=texts[one.id] or one.text) for one in renamed.questions),
        remarks=(*gold.remarks, *told),
    )


def by_text(gold: GoldSet, questions: Sequence[Question]) -> GoldSet | None:
    """Gold without ids for the questions of the same texts; None where texts are missing or stand for several."""
    own = {_key(question.text): question.id for question in gold.questions}
    wanted = {_key(question.text): question.id for question in questions}
    distinct = len(own) == len(gold.questions) and len(wanted) == len(questions) and "" not in wanted
    if not distinct or not wanted.keys() & own.keys():
        return None
    # Questions that are not asked keep a name that nobody has.
    renamed = _renamed(gold, {key: wanted.get(text, f"\0{key}") for text, key in own.items()})
    return by_id(renamed, questions, "", strangers=len(own.keys() - wanted.keys()))


def by_id(gold: GoldSet, questions: Sequence[Question], name: str, strangers: int | None = None) -> GoldSet:
    """The gold over the questions of a questions file: their order, their texts, and those without any gold.

    :param strangers: how many questions of the gold are not asked, where that is known
    :raises Refused: no question has gold; shows ids of both files
    """
    own = {question.id: question for question in gold.questions}
    asked = {question.id for question in questions}
    if asked.isdisjoint(own):
        theirs, ours = first_places(asked if len(asked) < 2 else [one.id for one in questions]), first_places(own)
        raise refuse(
            "wrong-split",
            f"Żadne pytanie z pliku pytań nie ma złota w {name} (w pytaniach: {theirs}; w złocie: {ours}). To nie ta "
            "sama część?",
            f"No question of the questions file has gold in {name} (questions: {theirs}; gold: {ours}). Not the same "
            "part?",
        )
    merged = tuple(
        replace(own[question.id], text=question.text or own[question.id].text) if question.id in own else question
        for question in questions
    )
    outside = [key for key in own if key not in asked]
    told: tuple[Problem, ...] = ()
    if outside:
        shown = "" if strangers is not None else f" ({first_places(outside)})"
        message = Bilingual(
            f"Pytania złotego zbioru, których nie ma w pliku pytań, pominięto: {len(outside)}{shown}.",
            f"Questions of the gold that are not in the questions file, left out: {len(outside)}{shown}.",
        )
        told = (Problem("note", "gold-outside", message, len(outside)),)
    return replace(
        gold,
        questions=merged,
        judgements=tuple(item for item in gold.judgements if item.question_id in asked),
        unanswerable=gold.unanswerable & asked,
        remarks=(*gold.remarks, *told),
    )


def _key(text: str) -> str:
    return " ".join(text.split()).casefold()
