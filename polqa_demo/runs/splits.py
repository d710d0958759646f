"""A whole gold set through a pipeline: rankings, answers on retrieved and on gold passages, and their score.

    FOLDER/run.json                   what the run is of; written first, so that another run never mixes with it
    FOLDER/rankings.tsv               the long form
    FOLDER/answers.jsonl              the reader on the passages of these rankings
    FOLDER/answers-from-gold.jsonl    the reader on gold passages, where the gold names any

A stopped run goes on where it was: a file is there when its stage is whole, `FILE.part` holds what is done of one.
"""

import json
import os
import re
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from polqa_demo.data.file_locks import take_lock
from polqa_demo.data.passage_texts import text_lookup
from polqa_demo.data.polqa import gold_passages
from polqa_demo.errors import UserError, first_few
from polqa_demo.evaluation.signature import gold_checksum, gold_title
from polqa_demo.parsing.parser import Upload
from polqa_demo.pipeline import Pipeline
from polqa_demo.records import GoldSet, Question, Ranking
from polqa_demo.runs.batch import batch_steps, fingerprint
from polqa_demo.runs.lines import RANKING_HEADERS, answer_line, ranking_lines
from polqa_demo.runs.passages import Hits, passage_source, ranked_hits, refuse_bad_questions
from polqa_demo.scoring import Scored, score_uploads
from polqa_demo.submissions.rankings import read_rankings
from polqa_demo.version import __version__

CARD = "run.json"
RANKINGS, ANSWERS, FROM_GOLD = "rankings", "answers", "answers-from-gold"
FILES = {RANKINGS: "rankings.tsv", ANSWERS: "answers.jsonl", FROM_GOLD: "answers-from-gold.jsonl"}
# Checksums and commits, of which a message shows the beginning.
_CHECKSUM = re.compile(r"[0-9a-f]{16,}")
_SHOWN_LETTERS, _LONGEST_SHOWN = 12, 120
# Lines of a card that are told whole, or tell nothing of what changed.
_NOT_COMPARED = ("key", "files", "parts", "pipeline")


@dataclass(frozen=True, slots=True)
class Step:
    """How far a run is: questions done of all, in one of its stages (the keys of `FILES`)."""

    stage: str
    done: int
    total: int


def steps(pipeline: Pipeline, gold: GoldSet, folder: Path, top_k: int | None = None) -> Generator[Step, None, None]:
    """Runs all stages, one question a step. Closing the generator stops the run; what is done stays.

    A stage begins with the step at which it is taken up: that of an earlier, stopped run, or no question done.

    :raises UserError: (from the first step on) the gold is secret, has bad questions or belongs to another corpus; the
        folder holds something else or cannot be written; another process works there; or reader or retriever fail
    """
    depth = pipeline.checked_top_k(top_k)
    on_gold = _checked(pipeline, gold)
    key = run_key(pipeline, gold, depth)
    with _opened(folder, key, _described(pipeline, gold, depth)):
        yield from _stage(RANKINGS, folder, gold, key, _ranker(pipeline, depth), RANKING_HEADERS["long"])
        retrieved = _from_file(pipeline, gold, folder / FILES[RANKINGS])
        yield from _stage(ANSWERS, folder, gold, key, _answerer(pipeline, retrieved))
        if on_gold:
            yield from _stage(FROM_GOLD, folder, gold, key, _answerer(pipeline, on_gold))


def run(
    pipeline: Pipeline,
    gold: GoldSet,
    folder: Path,
    progress: Callable[[Step], None] | None = None,
    top_k: int | None = None,
) -> Scored:
    """All of `steps`, each told to `progress`, then the score.

    :raises UserError: as `steps`
    """
    with closing(steps(pipeline, gold, folder, top_k)) as found:
        for step in found:
            if progress:
                progress(step)
    return finished(pipeline, gold, folder, top_k)


def finished(pipeline: Pipeline, gold: GoldSet, folder: Path, top_k: int | None = None) -> Scored:
    """The score of a run whose stages are all there.

    :raises UserError: some are not, or the folder holds another run
    """
    depth = pipeline.checked_top_k(top_k)
    _refuse_other(folder, run_key(pipeline, gold, depth), _described(pipeline, gold, depth))
    missing = [FILES[stage] for stage in stages(gold) if not (folder / FILES[stage]).is_file()]
    if missing:
        raise UserError(
            "unfinished-run",
            f"Przebieg w folderze {folder} nie jest skończony, brakuje: {', '.join(missing)}. Uruchom go jeszcze raz, "
            "podejmie pracę tam, gdzie stanęła.",
            f"The run in the folder {folder} is not finished, missing: {', '.join(missing)}. Start it once more, it "
            "goes on where it was.",
        )
    passages = pipeline.index.passages
    # What the gold says nothing about is left out of the score; the files are there all the same.
    answered, judged = any(question.answers for question in gold.questions), FROM_GOLD in stages(gold)
    return score_uploads(
        gold,
        _upload(folder, ANSWERS) if answered else None,
        _upload(folder, RANKINGS) if judged and _any_ranked(folder / FILES[RANKINGS]) else None,
        in_corpus=passages.__contains__,
        answers_from_gold=_upload(folder, FROM_GOLD) if answered and judged else None,
        text_of=text_lookup(passages),
    )


def stages(gold: GoldSet) -> tuple[str, ...]:
    """The stages of a run over a gold set, in their order."""
    return (RANKINGS, ANSWERS, FROM_GOLD) if gold_passages(gold) else (RANKINGS, ANSWERS)


def run_key(pipeline: Pipeline, gold: GoldSet, top_k: int | None = None) -> str:
    """What tells a run from any other: gold, corpus, parts of the pipeline, depth, version."""
    return fingerprint(
        "run",
        gold_checksum(gold),
        _asked(gold),
        pipeline.key,
        pipeline.checked_top_k(top_k),
        __version__,
    )


def _asked(gold: GoldSet) -> str:
    """The gold's own checksum is about what is right; here the questions' texts and the gold passages count too."""
    asked = [(question.id, question.text) for question in gold.questions]
    return fingerprint(asked, sorted(gold_passages(gold).items()))


def _checked(pipeline: Pipeline, gold: GoldSet) -> Hits | None:
    """The gold passages to read, None where the gold names none; refuses what would stop a run half way."""
    if gold.secret:
        raise UserError(
            "secret-gold",
            f"Złoty zbiór {gold.name} jest tajny: jego pytań nie można zadać. Wybierz inny.",
            f"The gold set {gold.name} is secret: its questions cannot be asked. Choose another.",
        )
    refuse_bad_questions(pipeline, gold.questions)
    if FROM_GOLD not in stages(gold):
        return None
    return passage_source(pipeline, gold, None, "", from_gold=True, top_k=None)[0]


def _stage(
    stage: str, folder: Path, gold: GoldSet, key: str, work: Callable[[Question], str], header: str = ""
) -> Iterator[Step]:
    out, total = folder / FILES[stage], len(gold.questions)
    if out.is_file():
        # A process that was killed while it finished the file leaves the parts of it.
        with suppress(OSError):
            out.with_name(out.name + ".part").unlink(missing_ok=True)
        yield Step(stage, total, total)
        return
    with closing(batch_steps(out, gold.questions, work, fingerprint(key, stage), header)) as counts:
        for done in counts:
            yield Step(stage, done, total)


def _ranker(pipeline: Pipeline, depth: int) -> Callable[[Question], str]:
    return lambda question: ranking_lines(question.id, pipeline.rank(question.text, depth))


def _answerer(pipeline: Pipeline, hits: Hits) -> Callable[[Question], str]:
    def line(question: Question) -> str:
        return answer_line(question.id, pipeline.read(pipeline.checked(question.text), hits(question)))

    return line


def _from_file(pipeline: Pipeline, gold: GoldSet, file: Path) -> Hits:
    """The passages of a file of rankings, as the retriever found them."""
    ranked: Mapping[str, Ranking] = {}
    if _any_ranked(file):
        ranked = read_rankings(file, gold.questions, file.name).rankings
    return ranked_hits(pipeline, ranked)


def _any_ranked(file: Path) -> bool:
    """Whether there is more than the header: no word of any question may occur in the corpus."""
    return file.stat().st_size > len(RANKING_HEADERS["long"])


def _upload(folder: Path, stage: str) -> Upload:
    return Upload(FILES[stage], path=folder / FILES[stage])


def _described(pipeline: Pipeline, gold: GoldSet, depth: int) -> dict[str, Any]:
    """What stands on the card of a run: for its reader, and to say by what another run differs."""
    return {
        "gold": f"{gold_title(gold)}@{gold_checksum(gold)}",
        "questions": len(gold.questions),
        "questions_checksum": _asked(gold),
        "corpus": pipeline.index.name,
        "corpus_checksum": pipeline.index.key,
        "pipeline": str(pipeline.origin.choice),
        "parts": dict(pipeline.origin.identity),
        "top_k": depth,
        "version": __version__,
    }


def _opened(folder: Path, key: str, described: Mapping[str, Any]) -> BinaryIO:
    """The card of a folder, which others stay out of until it is closed; both are made when they are not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _refuse_foreign(folder)
        # Opened without being emptied: only who has the lock may write.
        card = (folder / CARD).open("a+b")
        with ExitStack() as on_failure:
            on_failure.callback(card.close)
            _lock(card, folder)
            if not (folder / CARD).stat().st_size:
                text = json.dumps({"key": key, **described, "files": FILES}, ensure_ascii=False, indent=2)
                card.write(text.encode() + b"\n")
                card.flush()
            _refuse_other(folder, key, described)
            on_failure.pop_all()
    except OSError as error:
        raise UserError(
            "unwritable-folder",
            f"Nie mogę pisać w folderze {folder}: {error.strerror}. Wybierz inny (--out-dir).",
            f"Cannot write in the folder {folder}: {error.strerror}. Choose another (--out-dir).",
        ) from error
    return card


def _lock(card: BinaryIO, folder: Path) -> None:
    """Keeps others out until the card is closed (where the system knows such locks)."""
    if take_lock(card) is False:
        raise UserError(
            "run-in-work",
            f"Ktoś właśnie liczy ten przebieg (folder {folder}). Poczekaj, aż skończy.",
            f"Somebody is computing this run at this moment (folder {folder}). Wait for it.",
        )


def _refuse_foreign(folder: Path) -> None:
    """A folder without a card is ours when there is nothing in it; what begins with a dot does not count."""
    if (folder / CARD).exists():
        return
    own = sorted(name for name in os.listdir(folder) if not name.startswith("."))
    if own:
        raise UserError(
            "foreign-folder",
            f"W folderze {folder} są pliki ({first_few(own)}), a nie ma w nim przebiegu tego programu. Podaj inny "
            "folder albo pusty (--out-dir).",
            f"The folder {folder} has files ({first_few(own)}) and holds no run of this program. Name another "
            "folder, or an empty one (--out-dir).",
        )


def _refuse_other(folder: Path, key: str, described: Mapping[str, Any]) -> None:
    try:
        card = json.loads((folder / CARD).read_bytes())
    except (OSError, ValueError):
        card = None
    if isinstance(card, dict) and card.get("key") == key:
        return
    names = ("gold", "corpus", "pipeline", "top_k", "version")
    told = ", ".join(f"{name}: {card[name]}"[:120] for name in names if name in card) if isinstance(card, dict) else "?"
    changed = "; ".join(_changes(card, described)) if isinstance(card, dict) else ""
    pl, en = (f" Zmieniło się: {changed}.", f" Changed: {changed}.") if changed else ("", "")
    raise UserError(
        "other-run",
        f"Folder {folder} zawiera inny przebieg ({told}).{pl} Nic w nim nie zmieniono. Podaj inny folder (--out-dir) "
        "albo usuń ten.",
        f"The folder {folder} holds another run ({told}).{en} Nothing in it was changed. Name another folder "
        "(--out-dir), or remove this one.",
    )


def _changes(card: Mapping[str, Any], described: Mapping[str, Any]) -> Iterator[str]:
    """By what a run differs from the one on the card: `seq2seq.model: 1b2c… → 9d8e…`.

    Cards of earlier versions tell less; what they do not tell is not compared.
    """
    before, now = _flat(card), _flat(described)
    if not isinstance(card.get("parts"), dict):
        now = {name: value for name, value in now.items() if name in before}
    for name in dict.fromkeys((*before, *now)):
        if before.get(name) != now.get(name):
            yield f"{name}: {_short(before.get(name))} → {_short(now.get(name))}"


def _flat(card: Mapping[str, Any]) -> dict[str, str]:
    """A card's lines with the pipeline's parts among them."""
    parts = card.get("parts")
    lines = {**card, **(parts if isinstance(parts, dict) else {})}
    return {name: str(value) for name, value in lines.items() if name not in _NOT_COMPARED}


def _short(value: str | None) -> str:
    """A value as a message shows it; of checksums the beginning is enough."""
    if value is None:
        return "–"
    return _CHECKSUM.sub(lambda found: f"{found[0][:_SHOWN_LETTERS]}…", value)[:_LONGEST_SHOWN]
