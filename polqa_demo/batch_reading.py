"""Where a batch of questions gets its passages: the retriever, a file of rankings, or the gold."""

from collections.abc import Callable, Sequence

from polqa_demo.data.polqa import gold_passages
from polqa_demo.errors import Problem, UserError
from polqa_demo.pipeline import Hit, Pipeline
from polqa_demo.records import GoldSet, Question
from polqa_demo.submissions.problems import first_places
from polqa_demo.submissions.rankings import read_rankings

Hits = Callable[[Question], tuple[Hit, ...]]


def passage_source(
    pipeline: Pipeline,
    gold: GoldSet,
    rankings: bytes | None,
    rankings_name: str,
    from_gold: bool,
    top_k: int | None,
) -> tuple[Hits, tuple[Problem, ...]]:
    """A function from question to the passages to read, and what was odd about the file of rankings.

    :raises UserError: the questions name no gold passages, or none of the named passages is in the corpus
    """
    if rankings is not None:
        file = read_rankings(rankings, gold.questions, rankings_name)
        depth = pipeline.checked_top_k(top_k)
        lists = {key: ranking.passage_ids[:depth] for key, ranking in file.rankings.items()}
        _some_in_corpus(pipeline, lists)
        return lambda question: _hits(pipeline, lists.get(question.id, ())), file.problems
    if from_gold:
        lists = gold_passages(gold)
        if not lists:
            raise UserError(
                "no-gold-passages",
                "Plik pytań nie podaje złotych fragmentów (passage_id), więc --gold-passages nie ma czego czytać.",
                "The questions file names no gold passages (passage_id), so --gold-passages has nothing to read.",
            )
        _some_in_corpus(pipeline, lists)
        return lambda question: _hits(pipeline, lists.get(question.id, ())), ()
    return lambda question: pipeline.retrieve(question.text, top_k), ()


def refuse_bad_questions(pipeline: Pipeline, questions: Sequence[Question]) -> None:
    """Looks at all questions before the first is worked on, so that none stops a batch half way.

    :raises UserError: some are empty or too long; names them
    """
    bad: list[str] = []
    reason: UserError | None = None
    for question in questions:
        try:
            pipeline.checked(question.text)
        except UserError as error:
            bad.append(question.id)
            reason = reason or error
    if reason:
        raise UserError(
            "bad-questions",
            f"Pytania, na które nie da się odpowiedzieć: {len(bad)} ({first_places(bad)}). {reason.message.pl} "
            "Popraw plik pytań (--questions).",
            f"Questions that cannot be answered: {len(bad)} ({first_places(bad)}). {reason.message.en} "
            "Mend the questions file (--questions).",
        ) from reason


def _hits(pipeline: Pipeline, passage_ids: tuple[str, ...]) -> tuple[Hit, ...]:
    found = [passage for passage in map(pipeline.index.passages.get, passage_ids) if passage is not None]
    return tuple(Hit(rank, passage, 0.0) for rank, passage in enumerate(found, 1))


def _some_in_corpus(pipeline: Pipeline, lists: dict[str, tuple[str, ...]]) -> None:
    ids = [passage_id for passages in lists.values() for passage_id in passages]
    missing = [passage_id for passage_id in ids if pipeline.index.passages.row(passage_id) is None]
    if ids and len(missing) == len(ids):
        raise UserError(
            "other-corpus",
            f"Żadnego z {len(ids)} fragmentów ({', '.join(missing[:3])}…) nie ma w korpusie {pipeline.index.name}. "
            "Wskaż właściwy --corpus.",
            f"None of the {len(ids)} passages ({', '.join(missing[:3])}…) is in the corpus {pipeline.index.name}. "
            "Name the right --corpus.",
        )
