"""Models without weights in safetensors: what they have instead, and what helps.

Other weights are not loaded: a pickle (`pytorch_model.bin`) may run code, and GGUF and ONNX are for other engines.
"""

import re
import time
from collections.abc import Collection, Iterator
from pathlib import Path

from polqa_demo.errors import Bilingual, first_few
from polqa_demo.models.hub_cache import cached_repository, model_files

_PICKLED = re.compile(r"(^|/)((pytorch_model|adapter_model|model)[^/]*\.bin|[^/]*\.(pt|pth|ckpt|pkl))$")
_ONNX = re.compile(r"\.onnx$")
_GGUF = re.compile(r"\.(gguf|ggml)$")
_OTHER_LIBRARIES = re.compile(r"(^|/)(tf_model\.h5|flax_model[^/]*\.msgpack|model\.ckpt\.index)$")
_SAFETENSORS = re.compile(r"(model\.safetensors(\.index\.json)?|model-00001-of-\d+\.safetensors)")
_PULL_REQUEST = re.compile(r"refs/pr/(\d+)")
_HUB_SECONDS = 8  # for one question
_SEARCH_SECONDS = 20  # for all questions about revisions
_MOST_REVISIONS = 100


def has_weights(folder: Path) -> bool:
    """Whether a folder itself holds safetensors as the libraries look for them: whole, in parts, or of an adapter."""
    wanted = ("model.safetensors", "model.safetensors.index.json", "adapter_model.safetensors")
    return any((folder / name).is_file() for name in wanted)


def weight_names(folder: Path) -> frozenset[str]:
    """Names of the weights in a folder's model.safetensors; none where it is not there or damaged."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(folder / "model.safetensors", framework="np") as weights:
            return frozenset(weights.keys())
    except (OSError, SafetensorError):  # told when the model is loaded
        return frozenset()


def other_weights(name: str, folder: Path, converted: str, *, reader: bool = False) -> Bilingual | None:
    """What weights a model has in the place of safetensors, and the cure; None where it has none at all.

    `converted` is the Python that turns pickles into safetensors, for whoever trusts their authors. The hub is asked
    for a revision with safetensors, if it can be reached. For a `reader` the way through a server of its own is told.
    """
    files = model_files(folder)
    if pickled := _matching(_PICKLED, files):
        return _about_pickles(name, folder, pickled, converted)
    if exported := _matching(_ONNX, files):
        return Bilingual(
            f"Są tylko wagi ONNX ({first_few(exported)}), których ten program nie wczytuje. Podaj model, z którego "
            "je zrobiono (jego nazwa stoi zwykle na karcie modelu jako base_model).",
            f"It has ONNX weights alone ({first_few(exported)}), which this program does not load. Give the model "
            "that they were exported from (its card usually names it as base_model).",
        )
    if packed := _matching(_GGUF, files):
        server_pl = " albo uruchom go serwerem llama.cpp i wybierz --reader chat (POLQA_CHAT_URL)" if reader else ""
        server_en = ", or run it by a llama.cpp server and choose --reader chat (POLQA_CHAT_URL)" if reader else ""
        return Bilingual(
            f"Są tylko wagi GGUF ({first_few(packed)}), dla llama.cpp; ten program ich nie wczytuje. Podaj model, z "
            f"którego je zrobiono (jego nazwa stoi zwykle na karcie modelu jako base_model){server_pl}.",
            f"It has GGUF weights alone ({first_few(packed)}), for llama.cpp; this program does not load them. Give "
            f"the model that they were made from (its card usually names it as base_model){server_en}.",
        )
    if foreign := _matching(_OTHER_LIBRARIES, files):
        return Bilingual(
            f"Są tylko wagi innych bibliotek ({first_few(foreign)}). Podaj model z plikiem model.safetensors.",
            f"It has weights for other libraries alone ({first_few(foreign)}). Give a model with a model.safetensors.",
        )
    return None


def safetensors_revisions(repository: str) -> Iterator[str]:
    """Revisions of a model on the hub that have safetensors at the top, branches first, then proposals (refs/pr/N).

    Nothing comes where the hub cannot be reached, or does not answer within some seconds.
    """
    import huggingface_hub

    if huggingface_hub.is_offline_mode():
        return
    api, deadline = huggingface_hub.HfApi(), time.monotonic() + _SEARCH_SECONDS
    try:
        refs = api.list_repo_refs(repository, include_pull_requests=True)
        found = [ref.name for ref in refs.branches if ref.name != "main"]
        found += sorted((ref.ref for ref in refs.pull_requests or ()), key=_number)
        for revision in found[:_MOST_REVISIONS]:
            if time.monotonic() > deadline:
                return
            files = api.model_info(repository, revision=revision, timeout=_HUB_SECONDS).siblings or ()
            if any(_SAFETENSORS.fullmatch(file.rfilename) for file in files):
                yield revision
    except Exception:  # a network has many ways to fail, and the model is refused anyway
        return


def _about_pickles(name: str, folder: Path, pickled: Collection[str], converted: str) -> Bilingual:
    repository = cached_repository(folder)
    revision = next(safetensors_revisions(repository), "") if repository else ""
    why_pl = f"Wagi są tylko w plikach, które mogą uruchamiać kod ({first_few(pickled)}), więc nie zostaną wczytane."
    why_en = f"Its weights are in files alone that may run code ({first_few(pickled)}), so they are not loaded."
    cure_pl = f"albo, jeśli ufasz autorom, przekształć model: {converted}"
    cure_en = f"or, if you trust the authors, convert the model: {converted}"
    if not revision:
        return Bilingual(
            f"{why_pl} Poszukaj wersji z safetensors (NAZWA@GAŁĄŹ, np. NAZWA@refs/pr/1) {cure_pl}.",
            f"{why_en} Look for a revision with safetensors (NAME@REVISION, such as NAME@refs/pr/1), {cure_en}.",
        )
    hub_name = f"{repository}@{revision}"
    proposal = _PULL_REQUEST.fullmatch(revision)
    page = f"https://huggingface.co/{repository}/discussions/{proposal[1]}" if proposal else ""
    made_pl = f" (propozycja zmiany, nie wersja autorów; kto ją zrobił: {page})" if page else ""
    made_en = f" (a proposed change, no version of the authors; who made it: {page})" if page else ""
    return Bilingual(
        f"{why_pl} Safetensors ma wersja {hub_name}{made_pl}: podaj tę nazwę zamiast {name} {cure_pl}.",
        f"{why_en} The revision {hub_name} has safetensors{made_en}: give that name instead of {name}, {cure_en}.",
    )


def _matching(pattern: re.Pattern[str], files: Collection[str]) -> list[str]:
    return sorted(path for path in files if pattern.search(path))


def _number(ref: str) -> int:
    found = _PULL_REQUEST.fullmatch(ref)
    return int(found[1]) if found else 0
