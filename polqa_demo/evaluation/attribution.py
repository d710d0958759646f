"""Reader times retriever, without a judge model: whose fault is a wrong answer, and what is a right one worth?

Three facts about each question decide: does a gold passage stand among the first ten, does a gold answer stand in the
text of the first ten, is the answer right? Their eight combinations are the cells.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from polqa_demo.errors import Bilingual, UserError
from polqa_demo.evaluation.evidence import held_answer
from polqa_demo.evaluation.fuzzy_match import score_fuzzy_match
from polqa_demo.evaluation.question_ranking import CUTOFF
from polqa_demo.evaluation.shares import Share
from polqa_demo.records import Question, Ranking


@dataclass(frozen=True, slots=True)
class Cell:
    """One of the eight: gold passage among the ten? gold answer in their texts? answer right?"""

    code: str
    gold_passage: bool
    gold_answer: bool
    right: bool
    name: Bilingual
    explanation: Bilingual


CELLS: tuple[Cell, ...] = (
    Cell(
        "sound",
        True,
        True,
        True,
        Bilingual("wszystko zadziałało", "all worked"),
        Bilingual(
            "Złoty fragment jest w dziesiątce, odpowiedź stoi w tekście i jest dobra.",
            "The gold passage is among the ten, the answer stands in the text and is right.",
        ),
    ),
    Cell(
        "reader_fault",
        True,
        True,
        False,
        Bilingual("błąd czytnika", "reader's fault"),
        Bilingual(
            "Złoty fragment jest w dziesiątce i zawiera się w niej złota odpowiedź, a czytnik odpowiedział źle.",
            "The gold passage is among the ten, and they hold a gold answer, yet the reader is wrong.",
        ),
    ),
    Cell(
        "worded_otherwise",
        True,
        False,
        True,
        Bilingual("dobra, choć inaczej zapisana", "right, worded otherwise"),
        Bilingual(
            "Złoty fragment jest w dziesiątce, ale złota odpowiedź nie stoi w tekście dosłownie (tak/nie, wyliczenie, "
            "inne słowo); czytnik mimo to ma rację.",
            "The gold passage is among the ten, but no gold answer stands in the texts as such (yes or no, something "
            "computed, another word); the reader is right all the same.",
        ),
    ),
    Cell(
        "hard_reading",
        True,
        False,
        False,
        Bilingual("trudne czytanie", "hard reading"),
        Bilingual(
            "Złoty fragment jest w dziesiątce, ale odpowiedź trzeba z niego wywnioskować; czytnik nie zdołał.",
            "The gold passage is among the ten, but the answer has to be inferred from it; the reader did not manage.",
        ),
    ),
    Cell(
        "other_evidence",
        False,
        True,
        True,
        Bilingual("dobra z innego fragmentu", "right by another passage"),
        Bilingual(
            "Złotego fragmentu nie ma w dziesiątce, ale odpowiedź stoi w innym. Warto go ocenić (plik puli).",
            "No gold passage is among the ten, but the answer stands in another passage. It is worth judging (pool).",
        ),
    ),
    Cell(
        "reader_fault_other_evidence",
        False,
        True,
        False,
        Bilingual("błąd czytnika przy innym fragmencie", "reader's fault on another passage"),
        Bilingual(
            "Złotego fragmentu nie ma w dziesiątce; złota odpowiedź stoi w innym fragmencie, lecz czytnik odpowiedział "
            "źle. Fragment mógł odpowiedź tylko wspominać.",
            "No gold passage is among the ten; a gold answer stands in another passage, yet the reader is wrong. That "
            "passage may only mention the answer.",
        ),
    ),
    Cell(
        "right_unseen",
        False,
        False,
        True,
        Bilingual("dobra bez widocznego powodu", "right for no seen reason"),
        Bilingual(
            "W dziesiątce nie ma ani złotego fragmentu, ani odpowiedzi: pamięć modelu, traf albo inne sformułowanie.",
            "Neither a gold passage nor an answer is among the ten: the model's memory, luck, or another wording.",
        ),
    ),
    Cell(
        "retriever_fault",
        False,
        False,
        False,
        Bilingual("błąd wyszukiwarki", "retriever's fault"),
        Bilingual(
            "W dziesiątce nie ma ani złotego fragmentu, ani złotej odpowiedzi; czytnik nie miał z czego czytać.",
            "Neither a gold passage nor a gold answer is among the ten; the reader had nothing to read it from.",
        ),
    ),
)

_CELL_OF = {(cell.gold_passage, cell.gold_answer, cell.right): cell for cell in CELLS}


@dataclass(frozen=True, slots=True)
class Attributed:
    """One question in its cell.

    `gold_rank` and `answer_rank` are the ranks of the first gold passage and of the first passage that holds a gold
    answer (`held`); None when there is none among the ten. `unread` passages among the ten have no text at hand.
    """

    question_id: str
    cell: Cell
    gold_rank: int | None
    answer_rank: int | None
    held: str | None
    unread: int


@dataclass(frozen=True, slots=True)
class Attribution:
    """All questions that have gold answers and gold passages, in their cells.

    `without_gold_passage` are those that have answers but no gold passage: the retriever had nothing to find, so that
    they are in no cell. The three ceilings are shares of the questions in cells: with a gold passage among the ten,
    with a gold answer in the ten texts, with either.
    """

    depth: int
    items: tuple[Attributed, ...]
    without_gold_passage: tuple[str, ...]
    passage_ceiling: Share
    answer_ceiling: Share
    either_ceiling: Share
    unread: int

    @property
    def counts(self) -> dict[str, int]:
        """How many questions are in each cell, by its code; all eight, in the order of `CELLS`."""
        return {cell.code: len(self.ids(cell.code)) for cell in CELLS}

    def ids(self, code: str) -> tuple[str, ...]:
        """The questions in a cell."""
        return tuple(item.question_id for item in self.items if item.cell.code == code)


@dataclass(frozen=True, slots=True)
class ReaderBeside:
    """The reader on gold passages beside the reader on retrieved ones: question ids by which of the two is right.

    `only_gold` is what better retrieval could win, `neither` what it could not.
    """

    both: tuple[str, ...]
    only_gold: tuple[str, ...]
    only_retrieved: tuple[str, ...]
    neither: tuple[str, ...]

    @property
    def n(self) -> int:
        """How many questions have a gold answer."""
        return len(self.both) + len(self.only_gold) + len(self.only_retrieved) + len(self.neither)

    @property
    def on_gold(self) -> Share:
        """Right answers on gold passages."""
        return Share(len(self.both) + len(self.only_gold), self.n)

    @property
    def on_retrieved(self) -> Share:
        """Right answers on retrieved passages."""
        return Share(len(self.both) + len(self.only_retrieved), self.n)


def attribute(
    questions: Sequence[Question],
    predictions: Mapping[str, str],
    rankings: Mapping[str, Ranking],
    gold: Mapping[str, Collection[str]],
    text_of: Callable[[str], str | None],
    rule: str = "poleval",
    depth: int = CUTOFF,
) -> Attribution:
    """Puts every question with gold answers and gold passages into its cell.

    A question without a prediction is wrong, one without a ranking has nothing among the ten. `gold` maps question ids
    to gold passage ids; `text_of` gives the text the reader saw (with the title, if it saw that) or None when it is not
    at hand, which is counted. Raises UserError when no question has both golds, ValueError for an unknown rule.
    """
    items, without = [], []
    for question in questions:
        if not question.answers:
            continue
        wanted = frozenset(gold.get(question.id, ()))
        if not wanted:
            without.append(question.id)
            continue
        passages = _first(rankings.get(question.id), depth)
        gold_rank = next((rank for rank, passage in enumerate(passages, 1) if passage in wanted), None)
        texts = [text_of(passage) for passage in passages]
        answer_rank, held = _first_holding(texts, question.answers)
        right = score_fuzzy_match(predictions.get(question.id, ""), question.answers, rule)
        items.append(placed(question.id, gold_rank, answer_rank, held, right, texts.count(None)))
    if not items:
        raise UserError(
            "nothing-to-attribute",
            f"Żadne pytanie (jest ich {len(questions)}) nie ma i złotej odpowiedzi, i złotego fragmentu, więc błędów "
            "nie da się przypisać. Podaj złoty zbiór z answers i passage_id (CSV PolQA).",
            f"No question (of {len(questions)}) has both a gold answer and a gold passage, so errors cannot be "
            "attributed. Give a gold with answers and passage_id (PolQA's CSV).",
        )
    return collect(items, without, depth)


def placed(
    question_id: str, gold_rank: int | None, answer_rank: int | None, held: str | None, right: bool, unread: int
) -> Attributed:
    """A question in the cell that its two ranks (None: not among the first ten) and its verdict put it into."""
    cell = _CELL_OF[gold_rank is not None, answer_rank is not None, right]
    return Attributed(question_id, cell, gold_rank, answer_rank, held, unread)


def collect(items: Sequence[Attributed], without_gold_passage: Sequence[str], depth: int = CUTOFF) -> Attribution:
    """Questions in their cells, at least one, counted together."""
    return Attribution(
        depth,
        tuple(items),
        tuple(without_gold_passage),
        Share(sum(item.cell.gold_passage for item in items), len(items)),
        Share(sum(item.cell.gold_answer for item in items), len(items)),
        Share(sum(item.cell.gold_passage or item.cell.gold_answer for item in items), len(items)),
        sum(item.unread for item in items),
    )


def reader_beside(
    questions: Sequence[Question],
    on_retrieved: Mapping[str, str],
    on_gold: Mapping[str, str],
    rule: str = "poleval",
) -> ReaderBeside:
    """The four combinations of right and wrong for one reader's answers on retrieved and on gold passages.

    Questions without a gold answer are left out, missing answers are wrong. Raises ValueError for an unknown rule.
    """
    found: dict[tuple[bool, bool], list[str]] = {(a, b): [] for a in (True, False) for b in (True, False)}
    for question in questions:
        if question.answers:
            right = [
                score_fuzzy_match(file.get(question.id, ""), question.answers, rule) for file in (on_gold, on_retrieved)
            ]
            found[right[0], right[1]].append(question.id)
    return ReaderBeside(*map(tuple, (found[True, True], found[True, False], found[False, True], found[False, False])))


def _first(ranking: Ranking | None, depth: int) -> tuple[str, ...]:
    """The first passages, each once."""
    return tuple(dict.fromkeys(ranking.passage_ids))[:depth] if ranking else ()


def _first_holding(texts: Sequence[str | None], golds: Sequence[str]) -> tuple[int | None, str | None]:
    for rank, text in enumerate(texts, 1):
        held = held_answer(text, golds) if text else None
        if held is not None:
            return rank, held
    return None, None
