"""The files of an encoder: where a name leads, what must be there, and what the files say.

Only data is read: weights in safetensors, and no module that would bring code of its own.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from polqa_demo.data.model_snapshots import looks_like_a_path, model_snapshot
from polqa_demo.data.model_weights import other_weights
from polqa_demo.errors import Bilingual, UserError
from polqa_demo.library_notices import without_notices
from polqa_demo.retrieval.encoder_kinds import refuse_other_kinds
from polqa_demo.retrieval.known_models import similar_names
from polqa_demo.retrieval.module_files import DAMAGES, ModulePart, missing_files, module_parts, unweighted

_CONVERTED = "SentenceTransformer(…).save_pretrained(…)"
_SETTINGS = "config_sentence_transformers.json"
_OWN_MODULES = "sentence_transformers."
# A folder as transformers saves it, without modules.json, is taken for this.
_BARE = ModulePart(f"{_OWN_MODULES}models.Transformer", "")


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """What the small files of a model say: its network, its settings, its modules (none: saved by transformers)."""

    config: Mapping[str, Any]
    settings: Mapping[str, Any]
    parts: tuple[ModulePart, ...]

    @classmethod
    def read(cls, name: str, folder: Path) -> "ModelFiles":
        """Those of a folder; what is not there says nothing.

        Raises:
            UserError: a file is no JSON, or names its modules in no known way.
        """
        try:
            parts = module_parts(folder)
        except DAMAGES as error:
            raise damaged(name, f"modules.json: {type(error).__name__} {error}") from error
        return cls(_object(name, folder / "config.json"), _object(name, folder / _SETTINGS), parts)

    @property
    def prompts(self) -> Mapping[str, object]:
        """The model's own prompts by their names."""
        found = self.settings.get("prompts")
        return found if isinstance(found, dict) else {}

    @property
    def trained_from(self) -> str:
        """The name or folder that the network was loaded from before it was saved, or empty."""
        return str(self.config.get("_name_or_path") or "")


def model_folder(name: str) -> Path:
    """The local folder of a model: the folder of that name, else the hub's cache, filled when it can be reached.

    A hub name may end in `@revision`. With HF_HUB_OFFLINE, or without a network, what lies in the cache is taken.

    Raises:
        UserError: there is no such folder or model, it may not be read, or the hub cannot be reached; or files are
            missing, or would run code.
    """
    folder = Path(name).expanduser()
    # No name is the current folder to a path, and to nobody else.
    if not name.strip() or not folder.is_dir():
        if not name.strip() or folder.exists() or looks_like_a_path(name):
            raise _no_folder(name, folder)
        folder = _from_hub(name)
    _refuse_unusable(name, folder)
    return folder


def read_json(name: str, path: Path) -> Any:
    """One of the small files; an empty object where it is not there.

    Raises:
        UserError: it is no JSON.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise damaged(name, f"{path.name}: {error}") from error


def damaged(name: str, what: str) -> UserError:
    """The refusal of a model that does not load; `what` is the reason as the library gives it."""
    reason = " ".join(what.split())[:200]
    return UserError(
        "encoder-damaged",
        f"Nie można wczytać enkodera {name}: {reason}. Sprawdź, czy folder jest kompletny, i pobierz go ponownie.",
        f"The encoder {name} cannot be loaded: {reason}. See whether its folder is complete, and download it again.",
    )


def _from_hub(name: str) -> Path:
    from huggingface_hub import errors

    repository, _, revision = name.partition("@")
    if "/" not in repository:  # short names are those of sentence-transformers, as in that library
        repository = f"sentence-transformers/{repository}"
    try:
        with without_notices():
            return model_snapshot(repository, revision)
    except errors.GatedRepoError as error:
        raise _gated(name, repository) from error
    except (errors.RepositoryNotFoundError, errors.RevisionNotFoundError, errors.HFValidationError) as error:
        raise _unknown(name, repository) from error
    except Exception as error:
        raise _not_here(name, error) from error


def _refuse_unusable(name: str, folder: Path) -> None:
    files = ModelFiles.read(name, folder)
    refuse_other_kinds(name, folder, files.config, files.settings, files.parts)
    parts = files.parts or (_BARE,)
    foreign = [part.kind for part in parts if not part.kind.startswith(_OWN_MODULES)] or _own_network(files.config)
    if foreign:
        raise UserError(
            "encoder-needs-code",
            f"Enkoder {name} wymaga uruchomienia własnego kodu ({foreign[0]}), a ten program obcego kodu nie "
            "uruchamia. Wybierz inny model.",
            f"The encoder {name} needs to run code of its own ({foreign[0]}), and this program runs no foreign code. "
            "Choose another model.",
        )
    bare = unweighted(folder, parts)
    if bare and (others := other_weights(name, folder, _CONVERTED)):
        raise _no_safetensors(name, folder, others)
    try:
        missing = missing_files(folder, parts)
    except DAMAGES as error:
        raise damaged(name, f"model.safetensors.index.json: {type(error).__name__} {error}") from error
    missing += tuple(f"{place}/model.safetensors".lstrip("/") for place in bare)
    if missing:
        raise _incomplete(name, folder, missing)


def _own_network(config: Mapping[str, Any]) -> list[str]:
    """The kind of a network whose code lies in the model's folder; none for those that transformers has itself."""
    if not config.get("auto_map"):
        return []
    from transformers import CONFIG_MAPPING

    kind = str(config.get("model_type", ""))
    return [] if kind in CONFIG_MAPPING else [f"auto_map, model_type: {kind[:60]}"]


def _object(name: str, path: Path) -> dict[str, Any]:
    """One of the small files that hold an object; anything else in it counts as nothing said."""
    found = read_json(name, path)
    return found if isinstance(found, dict) else {}


def _no_folder(name: str, folder: Path) -> UserError:
    what_pl, what_en = ("to plik", "it is a file") if folder.exists() else ("nie ma go", "it is not there")
    return UserError(
        "encoder-folder-missing",
        f"Enkoder {name} to nie folder z modelem ({what_pl}). Podaj folder zapisany przez sentence-transformers albo "
        "nazwę modelu z Hugging Face, np. ipipan/silver-retriever-base-v1.1.",
        f"The encoder {name} is no folder with a model ({what_en}). Give a folder that sentence-transformers saved, "
        "or the name of a model on Hugging Face, such as ipipan/silver-retriever-base-v1.1.",
    )


def _unknown(name: str, repository: str) -> UserError:
    similar = ", ".join(similar_names(name))
    return UserError(
        "encoder-unknown",
        f"Na Hugging Face nie ma modelu {repository} (enkoder {name}) albo jest prywatny. "
        + (f"Podobne nazwy: {similar}. " if similar else "")
        + "Sprawdź nazwę lub podaj folder na dysku.",
        f"Hugging Face has no model {repository} (encoder {name}), or it is private. "
        + (f"Similar names: {similar}. " if similar else "")
        + "Check the name, or give a folder on disk.",
    )


def _gated(name: str, repository: str) -> UserError:
    return UserError(
        "encoder-gated",
        f"Model {name} wymaga zgody jego autorów: przyjmij warunki na https://huggingface.co/{repository} i zaloguj "
        "się poleceniem hf auth login.",
        f"The model {name} needs its authors' consent: accept the terms at https://huggingface.co/{repository} and "
        "log in with hf auth login.",
    )


def _not_here(name: str, error: Exception) -> UserError:
    reason = f"{type(error).__name__}: {str(error).splitlines()[0][:120] if str(error) else ''}".rstrip(": ")
    similar = similar_names(name)
    near_pl = f"Jeśli to literówka, podobne nazwy to: {', '.join(similar)}. " if similar else ""
    near_en = f"If it is a slip, similar names are: {', '.join(similar)}. " if similar else ""
    return UserError(
        "encoder-not-cached",
        f"Enkodera {name} nie ma w pamięci podręcznej Hugging Face, a huba nie można zapytać ({reason}). {near_pl}"
        "Sprawdź sieć i zmienną HF_HUB_OFFLINE, pobierz model wcześniej (hf download NAZWA), podaj folder na dysku "
        "albo użyj wbudowanego enkodera multilingual-e5-small.",
        f"The encoder {name} is not in the Hugging Face cache, and the hub cannot be asked ({reason}). {near_en}"
        "Check the network and the variable HF_HUB_OFFLINE, download the model beforehand (hf download NAME), give a "
        "folder on disk, or use the embedded encoder multilingual-e5-small.",
    )


def _incomplete(name: str, folder: Path, missing: Sequence[str]) -> UserError:
    return UserError(
        "encoder-incomplete",
        f"W folderze enkodera {name} ({folder}) brakuje plików: {', '.join(missing)}. To nie model albo pobieranie "
        "nie zostało ukończone; pobierz go ponownie (hf download).",
        f"The folder of the encoder {name} ({folder}) lacks files: {', '.join(missing)}. It is no model, or its "
        "download was not finished; download it again (hf download).",
    )


def _no_safetensors(name: str, folder: Path, others: Bilingual) -> UserError:
    return UserError(
        "encoder-without-safetensors",
        f"Enkoder {name} ({folder}) nie ma wag w formacie safetensors. {others.pl}",
        f"The encoder {name} ({folder}) has no weights in safetensors. {others.en}",
    )
