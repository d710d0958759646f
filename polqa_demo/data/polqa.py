"""PolQA as it is published: one CSV row a question-passage pair, the corpus as JSONL; from a folder or from the hub.

Source: ipipan/polqa on the Hugging Face hub (Rybak, Przybyła, Ogrodniczuk, arXiv 2212.08897), CC BY-SA 4.0. The loading
script of that repository is never run.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Literal

from polqa_demo.data.answer_texts import UnknownShapeError, printed_texts
from polqa_demo.data.gold_rows import is_evaluation, is_graded
from polqa_demo.errors import UserError
from polqa_demo.records import RELEVANT_GRADE, GoldSet

COLUMNS = (
    "question_id",
    "passage_title",
    "passage_text",
    "passage_wiki",
    "passage_id",
    "duplicate",
    "question",
    "relevant",
    "annotated_by",
    "answers",
    "question_formulation",
    "question_type",
    "entity_type",
    "entity_subtype",
    "split",
    "passage_source",
)
LABELS = ("question_formulation", "question_type", "entity_type", "entity_subtype")
REQUIRED = ("question_id", "question", "answers")

# The hub's file names; the split that the set itself calls `validation` lies in valid.csv.
SPLIT_FILES = {"train": "train.csv", "valid": "valid.csv", "validation": "valid.csv", "test": "test.csv"}
REPOSITORY = "ipipan/polqa"
PASSAGES_FILE = "passages.jsonl"

GoldSource = Literal["auto", "human", "all"]
GOLD_SOURCES: tuple[GoldSource, ...] = ("auto", "human", "all")

# A cell may hold a whole article; the csv module's own limit of 131,072 characters is too low for PolQA.
CELL_LIMIT = 16_000_000


def split_file(split: str) -> str:
    """The file name of a split.

    :raises UserError: an unknown split; lists the known ones
    """
    try:
        return SPLIT_FILES[split]
    except KeyError:
        known = ", ".join(sorted(SPLIT_FILES))
        raise UserError(
            "unknown-split",
            f"Nie ma podziału „{split}”. Dostępne: {known}.",
            f"There is no split {split!r}. Known: {known}.",
        ) from None


def _refuse_missing_columns(found: Sequence[str], name: str) -> None:
    missing = [column for column in REQUIRED if column not in found]
    if missing:
        raise UserError(
            "missing-columns",
            f"Plik {name}: brak kolumn {', '.join(missing)}. Są: {', '.join(found[:20]) or 'żadne'}.",
            f"File {name}: the columns {', '.join(missing)} are missing. Found: {', '.join(found[:20]) or 'none'}.",
        )


def parse_answers(cell: str) -> tuple[str, ...] | None:
    """The answers of one cell: a list as published (Python's), as NumPy prints it, or of JSON; None when it is none,
    nor a list of objects that hold an answer.
    """
    try:
        found = printed_texts(cell)
    except UnknownShapeError:
        return None
    return None if found is None else found.texts


def gold_passages(gold: GoldSet, source: GoldSource = "auto") -> dict[str, tuple[str, ...]]:
    """Question id -> ids of its gold passages (of grade 1 or higher), each once; questions without one are left out.

    `auto`: for questions of validation and test only passages found by humans count, since those proposed by a
    retriever are easier to retrieve (PolQA's card); elsewhere all sources. Judgements without any source count always.
    """
    relevant = {
        question_id: tuple(passage for passage, grade in grades.items() if grade >= RELEVANT_GRADE)
        for question_id, grades in _grades(gold, source).items()
    }
    return {question_id: passages for question_id, passages in relevant.items() if passages}


def graded_gains(gold: GoldSet, source: GoldSource = "auto") -> dict[str, dict[str, float]] | None:
    """Question id -> passage id -> its grade above 0, the gain in NDCG; None where no judgement that counts is graded.

    Of a pair judged several times the highest grade counts; which sources count, `gold_passages` says.
    """
    found = _grades(gold, source)
    return found if any(is_graded(grades.values()) for grades in found.values()) else None


def _grades(gold: GoldSet, source: GoldSource) -> dict[str, dict[str, float]]:
    """The grades above 0 that count."""
    found: dict[str, dict[str, float]] = {}
    for judgement in gold.judgements:
        split = gold.splits.get(judgement.question_id, gold.split)
        human_only = source == "human" or (source == "auto" and is_evaluation(split))
        if judgement.grade > 0 and (not human_only or judgement.source in ("human", "")):
            grades = found.setdefault(judgement.question_id, {})
            grades[judgement.passage_id] = max(judgement.grade, grades.get(judgement.passage_id, 0))
    return found


def judged_passages(gold: GoldSet) -> dict[str, frozenset[str]]:
    """Question id -> ids of the passages that carry any judgement, from whatever source."""
    judged: dict[str, set[str]] = {}
    for judgement in gold.judgements:
        judged.setdefault(judgement.question_id, set()).add(judgement.passage_id)
    return {question_id: frozenset(passages) for question_id, passages in judged.items()}


def stream_rows(split: str, base: str = f"hf://datasets/{REPOSITORY}/data") -> Iterator[tuple[int, dict[str, str]]]:
    """Rows of a split, streamed by `datasets` from its CSV: by default from the hub, else from any folder or address.

    Nothing is downloaded beyond what is read; words such as NA and null stay text.

    :raises UserError: unknown split; a needed column is absent; the hub (or the folder) cannot be reached
    """
    address = f"{base}/{split_file(split)}"
    import datasets

    try:
        stream = datasets.load_dataset(
            "csv",
            data_files={"rows": address},
            split="rows",
            streaming=True,
            # Read by `str`, a cell stays as it is written: NA and null are words, 007 keeps its zeros.
            converters=dict.fromkeys(COLUMNS, str),
            na_filter=False,
        )
        for number, row in enumerate(stream, 2):
            if number == 2:
                _refuse_missing_columns(list(row), address)
            yield number, {key: value or "" for key, value in row.items()}
    except UserError:
        raise
    except Exception as error:
        raise _unreachable(address, error) from error


def fetch(file: str, progress: Callable[[str], None] | None = None) -> Path:
    """One of PolQA's files (`test.csv`, `passages.jsonl`) in the hub's local cache, downloaded when it is not there.

    A broken connection is taken up again where it broke; a download that was stopped begins anew.

    :raises UserError: not in the cache and the hub cannot be reached (told within seconds)
    """
    import huggingface_hub

    cached = cached_file(file)
    if cached:
        return cached
    address = f"{REPOSITORY}/data/{file}"
    try:
        # The download itself retries for half a minute; one short question tells at once whether there is a hub.
        huggingface_hub.HfApi().repo_info(REPOSITORY, repo_type="dataset", timeout=8)
        if progress:
            progress(address)
        return Path(huggingface_hub.hf_hub_download(REPOSITORY, f"data/{file}", repo_type="dataset"))
    except Exception as error:
        raise _unreachable(address, error) from error


def cached_file(file: str) -> Path | None:
    """One of PolQA's files from the hub's local cache, without any network; None when it is not there."""
    import huggingface_hub

    found = huggingface_hub.try_to_load_from_cache(REPOSITORY, f"data/{file}", repo_type="dataset")
    return Path(found) if isinstance(found, str) else None


def _unreachable(address: str, error: Exception) -> UserError:
    reason = f"{type(error).__name__}: {str(error).splitlines()[0][:120] if str(error) else ''}".rstrip(": ")
    return UserError(
        "hub-unreachable",
        f"Nie mogę pobrać {address} ({reason}). Sprawdź połączenie z siecią i zmienną HF_HUB_OFFLINE; bez sieci "
        "wskaż pliki na dysku (--gold, --corpus) albo użyj wbudowanego polqa-demo-sample.",
        f"Cannot get {address} ({reason}). Check the network and the variable HF_HUB_OFFLINE; without a network "
        "name files on disk (--gold, --corpus) or use the embedded polqa-demo-sample.",
    )
