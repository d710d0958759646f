"""Where the name of a reader's model leads: a folder, or the hub's cache, filled when the hub can be reached."""

from pathlib import Path

from polqa_demo.data.model_snapshots import looks_like_a_path, model_snapshot
from polqa_demo.data.model_weights import other_weights
from polqa_demo.errors import UserError
from polqa_demo.library_notices import without_notices


def reader_folder(name: str, example: str) -> Path:
    """The folder of a reader's model; `example` is a name that is told where this one leads nowhere.

    With HF_HUB_OFFLINE, or without a network, what lies in the hub's cache is taken.

    :raises UserError: there is no such folder or model, it may not be read, or the hub cannot be reached
    """
    folder = Path(name).expanduser()
    if folder.is_dir() and name.strip():  # the empty name would be the folder one stands in
        return folder
    if folder.exists() or looks_like_a_path(name) or not name.strip():
        raise UserError(
            "reader-model-folder",
            f"Nie ma folderu z modelem „{name[:200]}”. Podaj folder zapisany przez save_pretrained albo nazwę modelu "
            f"z Hugging Face, np. {example}.",
            f"There is no folder with a model at {name[:200]!r}. Give a folder that save_pretrained wrote, or the name "
            f"of a model on Hugging Face, such as {example}.",
        )
    return _from_hub(name, example)


def refuse_other_weights(name: str, folder: Path, converted: str) -> None:
    """Refuse a reader's model whose weights are no safetensors, with what helps.

    :param converted: the Python that turns pickled weights into safetensors
    :raises UserError: its weights are pickled, or for another engine
    """
    if any(folder.glob("*.safetensors")):
        return
    if others := other_weights(name, folder, converted, generative=True):
        raise UserError(
            "reader-model-without-safetensors",
            f"Model {name[:200]} ({folder}) nie ma wag w formacie safetensors. {others.pl}",
            f"The model {name[:200]} ({folder}) has no weights in safetensors. {others.en}",
        )


def _from_hub(name: str, example: str) -> Path:
    from huggingface_hub import errors

    repository, _, revision = name.partition("@")
    try:
        with without_notices():
            return model_snapshot(repository, revision)
    except errors.GatedRepoError as error:
        raise UserError(
            "reader-model-gated",
            f"Model {name} wymaga zgody autorów: przyjmij warunki na https://huggingface.co/{repository} i zaloguj "
            "się poleceniem hf auth login.",
            f"The model {name} needs its authors' consent: accept the terms at https://huggingface.co/{repository} and "
            "log in with hf auth login.",
        ) from error
    except (errors.RepositoryNotFoundError, errors.RevisionNotFoundError, errors.HFValidationError) as error:
        raise UserError(
            "reader-model-unknown",
            f"Na Hugging Face nie ma modelu „{name[:200]}” albo jest prywatny. Sprawdź nazwę (np. {example}) lub "
            "podaj folder na dysku.",
            f"Hugging Face has no model {name[:200]!r}, or it is private. Check the name (such as {example}), or give "
            "a folder on disk.",
        ) from error
    except Exception as error:
        raise UserError(
            "reader-model-not-cached",
            f"Modelu {name} nie ma w pamięci podręcznej Hugging Face, a huba nie można zapytać "
            f"({type(error).__name__}). Sprawdź sieć i zmienną HF_HUB_OFFLINE, pobierz model wcześniej (hf download "
            "NAZWA) albo podaj folder na dysku.",
            f"The model {name} is not in the Hugging Face cache, and the hub cannot be asked ({type(error).__name__}). "
            "Check the network and the variable HF_HUB_OFFLINE, download the model beforehand (hf download NAME), or "
            "give a folder on disk.",
        ) from error
