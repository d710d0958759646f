"""What is told of a model that cannot be used, the same for every role."""

from collections.abc import Sequence
from pathlib import Path

from polqa_demo.errors import Bilingual, UserError, first_few
from polqa_demo.models.roles import Role

_NAME, _REASON = 200, 200  # characters shown


def no_folder(role: Role, name: str, folder: Path) -> UserError:
    """A name that is meant as a folder's, and there is none."""
    what_pl, what_en = ("to plik", "it is a file") if folder.exists() else ("nie ma go", "it is not there")
    return UserError(
        f"{role.code}-folder-missing",
        f"{_model(name)} ({role.noun.pl}) to nie folder z modelem ({what_pl}). Podaj folder zapisany przez "
        f"save_pretrained albo nazwę modelu z Hugging Face, np. {role.example}.",
        f"The model {name[:_NAME]} ({role.noun.en}) is no folder with a model ({what_en}). Give a folder that "
        f"save_pretrained wrote, or the name of a model on Hugging Face, such as {role.example}.",
    )


def unknown(role: Role, name: str, repository: str) -> UserError:
    """The hub has no such model, or does not show it."""
    similar = ", ".join(role.similar(name))
    return UserError(
        f"{role.code}-unknown",
        f"Na Hugging Face nie ma modelu {repository[:_NAME]} ({role.noun.pl} {name[:_NAME]}) albo jest prywatny. "
        + (f"Podobne nazwy: {similar}. " if similar else "")
        + f"Sprawdź nazwę (np. {role.example}) lub podaj folder na dysku.",
        f"Hugging Face has no model {repository[:_NAME]} ({role.noun.en} {name[:_NAME]}), or it is private. "
        + (f"Similar names: {similar}. " if similar else "")
        + f"Check the name (such as {role.example}), or give a folder on disk.",
    )


def gated(role: Role, name: str, repository: str) -> UserError:
    """The model's authors want to be asked."""
    return UserError(
        f"{role.code}-gated",
        f"{_model(name)} wymaga zgody jego autorów: przyjmij warunki na https://huggingface.co/{repository} i zaloguj "
        "się poleceniem hf auth login.",
        f"The model {name[:_NAME]} needs its authors' consent: accept the terms at "
        f"https://huggingface.co/{repository} and log in with hf auth login.",
    )


def not_cached(role: Role, name: str, error: Exception) -> UserError:
    """The model is not in the cache, and the hub cannot be asked."""
    reason = f"{type(error).__name__}: {first_line(error)}".rstrip(": ")
    similar = ", ".join(role.similar(name))
    near_pl = f"Jeśli to literówka, podobne nazwy to: {similar}. " if similar else ""
    near_en = f"If it is a slip, similar names are: {similar}. " if similar else ""
    return UserError(
        f"{role.code}-not-cached",
        f"Modelu {name[:_NAME]} ({role.noun.pl}) nie ma w pamięci podręcznej Hugging Face, a huba nie można zapytać "
        f"({reason}). {near_pl}Sprawdź sieć i zmienną HF_HUB_OFFLINE, pobierz model wcześniej (hf download NAZWA) "
        f"albo podaj folder na dysku{role.otherwise.pl}.",
        f"The model {name[:_NAME]} ({role.noun.en}) is not in the Hugging Face cache, and the hub cannot be asked "
        f"({reason}). {near_en}Check the network and the variable HF_HUB_OFFLINE, download the model beforehand "
        f"(hf download NAME), or give a folder on disk{role.otherwise.en}.",
    )


def incomplete(role: Role, name: str, folder: Path, missing: Sequence[str]) -> UserError:
    """Files without which it cannot be loaded are not there."""
    return UserError(
        f"{role.code}-incomplete",
        f"W folderze modelu {name[:_NAME]} ({folder}) brakuje plików: {first_few(missing)}. To nie model albo "
        "pobieranie nie zostało ukończone; pobierz go ponownie (hf download).",
        f"The folder of the model {name[:_NAME]} ({folder}) lacks files: {first_few(missing)}. It is no model, or its "
        "download was not finished; download it again (hf download).",
    )


def damaged(role: Role, name: str, what: str) -> UserError:
    """It does not load; `what` is the reason as the library gives it."""
    reason = " ".join(what.split())[:_REASON]
    return UserError(
        f"{role.code}-damaged",
        f"Nie można wczytać modelu {name[:_NAME]} ({role.noun.pl}): {reason}. Sprawdź, czy jego folder jest kompletny, "
        "i pobierz go ponownie.",
        f"The model {name[:_NAME]} ({role.noun.en}) cannot be loaded: {reason}. See whether its folder is complete, "
        "and download it again.",
    )


def needs_code(role: Role, name: str, what: str) -> UserError:
    """It is a network, or has modules, of its author's own making."""
    return UserError(
        f"{role.code}-needs-code",
        f"{_model(name)} ({role.noun.pl}) wymaga uruchomienia własnego kodu ({what}), a ten program obcego kodu nie "
        "uruchamia. Wybierz inny model.",
        f"The model {name[:_NAME]} ({role.noun.en}) needs to run code of its own ({what}), and this program runs no "
        "foreign code. Choose another model.",
    )


def without_safetensors(role: Role, name: str, folder: Path, others: Bilingual) -> UserError:
    """Its weights are pickled, or for another engine; `others` says which, and what helps."""
    return UserError(
        f"{role.code}-without-safetensors",
        f"{_model(name)} ({role.noun.pl}, {folder}) nie ma wag w formacie safetensors. {others.pl}",
        f"The model {name[:_NAME]} ({role.noun.en}, {folder}) has no weights in safetensors. {others.en}",
    )


def other_kind(role: Role, name: str, evidence: str, words: Bilingual) -> UserError:
    """It is a model for something else: `words` go on behind "it", and say where it belongs."""
    return UserError(
        f"{role.code}-kind",
        f"{_model(name)} to nie {role.noun.pl} ({evidence}): {words.pl}. Podaj {role.wanted.pl}, np. {role.example}.",
        f"The model {name[:_NAME]} is no {role.noun.en} ({evidence}): it {words.en}. Give {role.wanted.en}, such as "
        f"{role.example}.",
    )


def without_tokenizer(role: Role, name: str, what: str) -> UserError:
    """Its tokenizer does not load, or tells no places of tokens in the text."""
    return UserError(
        f"{role.code}-tokenizer",
        f"{_model(name)} nie ma tokenizera, który można wczytać ({what}). Potrzebny jest tokenizer.json albo "
        "spiece.model.",
        f"The model {name[:_NAME]} has no tokenizer that can be loaded ({what}). A tokenizer.json or a spiece.model is "
        "needed.",
    )


def first_line(error: Exception) -> str:
    """What a library says of a failure, short."""
    return next(iter(str(error).splitlines()), "")[:120]


def _model(name: str) -> str:
    return f"Model {name[:_NAME]}"
