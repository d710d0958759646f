"""Where a batch of questions gets its passages: the retriever, a file of rankings, or the gold."""

from collections.abc import Callable, Mapping, Sequence

from polqa_demo.data.polqa import gold_passages
from polqa_demo.errors import Problem, UserError
from polqa_demo.pipeline import Hit, Pipeline, ReadingPipeline
from polqa_demo.records import GoldSet, Question, Ranking
from polqa_demo.submissions.problems import first_places
from polqa_demo.submissions.rankings import read_rankings

Hits = Callable[[Question], tuple[Hit, ...]]


def passage_source(
    pipeline: ReadingPipeline,
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
        _some_in_corpus(pipeline, {key: ranking.passage_ids[:depth] for key, ranking in file.rankings.items()})
        return ranked_hits(pipeline, file.rankings, depth), file.problems
    if from_gold:
        lists = gold_passages(gold)
        if not lists:
            raise UserError(
                "no-gold-passages",
                "Plik pytań nie podaje złotych fragmentów (passage_id), więc --gold-passages nie ma czego czytać.",
                "The questions file names no gold passages (passage_id), so --gold-passages has nothing to read.",
            )
        _some_in_corpus(pipeline, lists)
        return ranked_hits(pipeline, {key: Ranking(key, passage_ids) for key, passage_ids in lists.items()}), ()
    if not isinstance(pipeline, Pipeline):
        raise TypeError("no passages are given, and this pipeline has no retriever")
    return lambda question: pipeline.retrieve(question.text, top_k), ()


def ranked_hits(pipeline: ReadingPipeline, rankings: Mapping[str, Ranking], depth: int | None = None) -> Hits:
    """The passages of rankings by question id, as the retriever that found them would hand them over.

    Only the best `depth` of each count. What is not in the corpus is left out, and the others move up.
    """

    def hits(question: Question) -> tuple[Hit, ...]:
        ranking = rankings.get(question.id, Ranking(question.id, ()))
        passage_ids = ranking.passage_ids[:depth]
        # A list without scores says an order and no more; so do falling numbers.
        scores = ranking.scores[:depth] or [-float(rank) for rank in range(1, len(passage_ids) + 1)]
        found = zip(map(pipeline.corpus.passages.get, passage_ids), scores, strict=True)
        known = ((passage, score) for passage, score in found if passage is not None)
        return tuple(Hit(rank, passage, score) for rank, (passage, score) in enumerate(known, 1))

    return hits


def refuse_bad_questions(pipeline: ReadingPipeline, questions: Sequence[Question]) -> None:
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


def _some_in_corpus(pipeline: ReadingPipeline, lists: Mapping[str, tuple[str, ...]]) -> None:
    ids = [passage_id for passages in lists.values() for passage_id in passages]
    missing = [passage_id for passage_id in ids if pipeline.corpus.passages.row(passage_id) is None]
    if ids and len(missing) == len(ids):
        raise UserError(
            "other-corpus",
            f"Żadnego z {len(ids)} fragmentów ({', '.join(missing[:3])}…) nie ma w korpusie {pipeline.corpus.name}. "
            "Wskaż właściwy --corpus.",
            f"None of the {len(ids)} passages ({', '.join(missing[:3])}…) is in the corpus {pipeline.corpus.name}. "
            "Name the right --corpus.",
        )
