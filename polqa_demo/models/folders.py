"""Where the name of a model leads: a folder, or the hub's cache, filled when the hub can be reached.

Only data is read: weights in safetensors, settings and vocabularies, and no code of a model's author.
"""

from pathlib import Path

from polqa_demo.library_notices import without_notices
from polqa_demo.models import refusals
from polqa_demo.models.files import ModelFiles, refuse_unusable
from polqa_demo.models.roles import Role
from polqa_demo.models.snapshots import looks_like_a_path, model_snapshot


def named_folder(name: str, role: Role) -> Path:
    """The folder of that name, else the hub's cache; its files are not looked at.

    A hub name may end in `@revision`. With HF_HUB_OFFLINE, or without a network, what lies in the cache is taken.

    :raises UserError: there is no such folder or model, it may not be read, or the hub cannot be reached
    """
    folder = Path(name).expanduser()
    # No name is the current folder to a path, and to nobody else.
    if name.strip() and folder.is_dir():
        return folder
    if not name.strip() or folder.exists() or looks_like_a_path(name):
        raise refusals.no_folder(role, name, folder)
    return _from_hub(name, role)


def usable_folder(name: str, role: Role) -> tuple[Path, ModelFiles]:
    """The folder of a model that can be loaded for a role, with what its small files say.

    :raises UserError: as `named_folder`; files are missing or damaged, would run code, or hold no safetensors; or it
        is a model of another kind
    """
    folder = named_folder(name, role)
    return folder, refuse_unusable(name, folder, role)


def _from_hub(name: str, role: Role) -> Path:
    from huggingface_hub import errors

    repository, _, revision = name.partition("@")
    if "/" not in repository and role.owner:
        repository = f"{role.owner}/{repository}"
    try:
        with without_notices():
            return model_snapshot(repository, revision)
    except errors.GatedRepoError as error:
        raise refusals.gated(role, name, repository) from error
    except (errors.RepositoryNotFoundError, errors.RevisionNotFoundError, errors.HFValidationError) as error:
        raise refusals.unknown(role, name, repository) from error
    except Exception as error:  # a network has many ways to fail
        raise refusals.not_cached(role, name, error) from error
