"""Where the name of a reader's model leads: a folder, or the hub's cache, filled when the hub can be reached."""

from pathlib import Path

from polqa_demo.errors import UserError

# No .bin and no .py: weights that are programs, and code, stay on the hub.
_WANTED = ["*.json", "*.safetensors", "*.txt", "*.model"]
_UNWANTED = ["onnx/*", "openvino/*", "checkpoint-*/*", "runs/*"]
_HUB_SECONDS = 8  # until the hub is taken to be out of reach


def reader_folder(name: str, example: str) -> Path:
    """The folder of a reader's model; `example` is a name that is told where this one leads nowhere.

    With HF_HUB_OFFLINE, or without a network, what lies in the hub's cache is taken.

    :raises UserError: there is no such folder or model, it may not be read, or the hub cannot be reached
    """
    folder = Path(name).expanduser()
    if folder.is_dir() and name.strip():  # the empty name would be the folder one stands in
        return folder
    # A hub name is `owner/model` with, perhaps, a revision behind @.
    path_like = name.startswith((".", "/", "~")) or "\\" in name or name.partition("@")[0].count("/") > 1
    if folder.exists() or path_like or not name.strip():
        raise UserError(
            "reader-model-folder",
            f"Nie ma folderu z modelem „{name[:200]}”. Podaj folder zapisany przez save_pretrained albo nazwę modelu "
            f"z Hugging Face, np. {example}.",
            f"There is no folder with a model at {name[:200]!r}. Give a folder that save_pretrained wrote, or the name "
            f"of a model on Hugging Face, such as {example}.",
        )
    return _from_hub(name, example)


def _from_hub(name: str, example: str) -> Path:
    import huggingface_hub
    from huggingface_hub import errors

    repository, _, revision = name.partition("@")
    try:
        # A download retries for long; one short question tells at once whether there is a hub and such a model.
        offline = huggingface_hub.is_offline_mode() or not _reachable(repository, revision)
        return Path(
            huggingface_hub.snapshot_download(
                repository,
                revision=revision or None,
                allow_patterns=_WANTED,
                ignore_patterns=_UNWANTED,
                local_files_only=offline,
            )
        )
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


def _reachable(repository: str, revision: str) -> bool:
    """Whether the hub answers for this model; raises what the hub says when its answer is no."""
    import huggingface_hub
    from huggingface_hub import errors

    try:
        huggingface_hub.HfApi().model_info(repository, revision=revision or None, timeout=_HUB_SECONDS)
    except (errors.HFValidationError, errors.RepositoryNotFoundError, errors.RevisionNotFoundError):
        raise
    except Exception:
        return False
    return True
