"""What a model's small files say, and whether it can be loaded from its folder at all."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from polqa_demo.models import refusals
from polqa_demo.models.kinds import WORDS, model_kind
from polqa_demo.models.modules import DAMAGES, ModulePart, missing_files, module_parts, unweighted
from polqa_demo.models.roles import Role
from polqa_demo.models.weights import other_weights

_SETTINGS = "config_sentence_transformers.json"
_OWN_MODULES = "sentence_transformers."
# A folder as transformers saves it, without modules.json, is taken for this.
_BARE = ModulePart(f"{_OWN_MODULES}models.Transformer", "")


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """A model's network, its settings, its modules (none: saved by transformers)."""

    config: Mapping[str, Any]
    settings: Mapping[str, Any]
    parts: tuple[ModulePart, ...]

    @classmethod
    def read(cls, name: str, folder: Path, role: Role) -> "ModelFiles":
        """Those of a folder; what is not there says nothing.

        :raises UserError: a file is no JSON, or names its modules in no known way
        """
        try:
            parts = module_parts(folder)
        except DAMAGES as error:
            raise refusals.damaged(role, name, f"modules.json: {type(error).__name__} {error}") from error
        config = read_json(name, folder / "config.json", role)
        if not isinstance(config, dict):
            raise refusals.damaged(role, name, "config.json: no JSON object")
        settings = read_json(name, folder / _SETTINGS, role)
        return cls(config, settings if isinstance(settings, dict) else {}, parts)

    @property
    def prompts(self) -> Mapping[str, object]:
        """The model's own prompts by their names."""
        found = self.settings.get("prompts")
        return found if isinstance(found, dict) else {}

    @property
    def trained_from(self) -> str:
        """The name or folder that the network was loaded from before it was saved, or empty."""
        return str(self.config.get("_name_or_path") or "")


def refuse_unusable(name: str, folder: Path, role: Role) -> ModelFiles:
    """Refuse what can be told from the files before any library opens them; what they say.

    :raises UserError: files are missing or damaged, would run code, or hold no safetensors; or it is a model of
        another kind than the role wants
    """
    files = ModelFiles.read(name, folder, role)
    kind, evidence = model_kind(name, folder, files.config, files.settings, files.parts)
    if kind not in role.kinds | {"unknown"}:
        raise refusals.other_kind(role, name, evidence, WORDS[kind])
    parts = files.parts or (_BARE,)
    foreign = [part.kind for part in parts if not part.kind.startswith(_OWN_MODULES)] or _own_network(files.config)
    if foreign:
        raise refusals.needs_code(role, name, foreign[0])
    bare = unweighted(folder, parts)
    if bare and (others := other_weights(name, folder, role.converted, reader=role.reader)):
        raise refusals.without_safetensors(role, name, folder, others)
    try:
        missing = missing_files(folder, parts)
    except DAMAGES as error:
        raise refusals.damaged(role, name, f"model.safetensors.index.json: {type(error).__name__} {error}") from error
    missing += tuple(f"{place}/model.safetensors".lstrip("/") for place in bare)
    if missing:
        raise refusals.incomplete(role, name, folder, missing)
    if kind not in role.kinds:
        raise refusals.other_kind(role, name, evidence, WORDS[kind])
    return files


def read_json(name: str, path: Path, role: Role) -> Any:
    """One of the small files; an empty object where it is not there.

    :raises UserError: it is no JSON
    """
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise refusals.damaged(role, name, f"{path.name}: {error}") from error


def _own_network(config: Mapping[str, Any]) -> list[str]:
    """The kind of a network whose code lies in the model's folder; none for those that transformers has itself."""
    if not config.get("auto_map"):
        return []
    from transformers import CONFIG_MAPPING

    kind = str(config.get("model_type", ""))
    return [] if kind in CONFIG_MAPPING else [f"auto_map, model_type: {kind[:60]}"]
