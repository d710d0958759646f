"""The files of a reranker: where a name leads, and what is told of models that cannot rerank.

Only data is read: weights in safetensors, and no code of a model's author.
"""

from pathlib import Path

from polqa_demo.data.model_snapshots import looks_like_a_path, model_snapshot
from polqa_demo.data.model_weights import other_weights
from polqa_demo.errors import UserError, first_few
from polqa_demo.library_notices import without_notices
from polqa_demo.retrieval.module_files import DAMAGES, ModulePart, missing_files, module_parts, unweighted

# A folder as transformers saves it, without modules.json, is taken for this.
_BARE = ModulePart("sentence_transformers.models.Transformer", "")


def reranker_folder(name: str) -> Path:
    """The folder of a cross-encoder: the folder of that name, else the hub's cache, filled when it can be reached.

    A hub name may end in `@revision`.

    :raises UserError: there is no such folder or model, or the hub cannot be reached; files are missing, or its
        weights are no safetensors
    """
    folder = Path(name).expanduser()
    if not name.strip() or not folder.is_dir():
        if not name.strip() or folder.exists() or looks_like_a_path(name):
            raise _unavailable(name, "no such folder")
        folder = _from_hub(name)
    _refuse_unusable(name, folder)
    return folder


def no_reranker(name: str, what: str) -> UserError:
    """The refusal of a model that is there and does not rerank; `what` is the evidence."""
    return UserError(
        "not-a-reranker",
        f"Model {name[:100]} nie nadaje się do zmiany kolejności fragmentów ({what}). Podaj cross-encoder z jednym "
        "wynikiem, np. sdadas/polish-reranker-roberta-v2.",
        f"The model {name[:100]} cannot rerank passages ({what}). Give a cross-encoder with one score, such as "
        "sdadas/polish-reranker-roberta-v2.",
    )


def first_line(error: Exception) -> str:
    """What a library says of a failure, short."""
    return next(iter(str(error).splitlines()), "")[:200] or type(error).__name__


def _from_hub(name: str) -> Path:
    repository, _, revision = name.partition("@")
    try:
        with without_notices():
            return model_snapshot(repository, revision)
    except Exception as error:  # a network has many ways to fail
        raise _unavailable(name, first_line(error)) from error


def _refuse_unusable(name: str, folder: Path) -> None:
    try:
        parts = module_parts(folder) or (_BARE,)
        missing = missing_files(folder, parts)
    except DAMAGES as error:
        raise no_reranker(name, f"modules.json: {first_line(error)}") from error
    bare = unweighted(folder, parts)
    if bare and (others := other_weights(name, folder, "CrossEncoder(…).save_pretrained(…)")):
        raise UserError(
            "reranker-without-safetensors",
            f"Reranker {name[:100]} ({folder}) nie ma wag w formacie safetensors. {others.pl}",
            f"The reranker {name[:100]} ({folder}) has no weights in safetensors. {others.en}",
        )
    missing += tuple(f"{place}/model.safetensors".lstrip("/") for place in bare)
    if missing:
        raise no_reranker(name, f"{folder}: brak/missing {first_few(missing)}")


def _unavailable(name: str, what: str) -> UserError:
    return UserError(
        "reranker-unavailable",
        f"Nie ma modelu {name[:100]}: nie jest folderem, nie ma go w pamięci podręcznej, a z huba nie można go "
        f"pobrać ({what}). Sprawdź nazwę i sieć albo podaj folder z modelem.",
        f"There is no model {name[:100]}: it is no folder, it is not cached, and it cannot be had from the hub "
        f"({what}). Check the name and the network, or give a folder with the model.",
    )
