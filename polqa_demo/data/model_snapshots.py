"""The files of a model of the hub in the hub's own cache, for whatever opens them.

Only data is fetched: weights in safetensors, configurations and vocabularies. Weights that are programs (.bin, .pt),
copies of the weights and code stay on the hub.
"""

from pathlib import Path

WANTED = ("*.json", "*.safetensors", "*.txt", "*.model")
UNWANTED = ("onnx/*", "openvino/*", "checkpoint-*/*", "runs/*")
_HUB_SECONDS = 8  # until the hub is taken to be out of reach


def looks_like_a_path(name: str) -> bool:
    """Whether a name is meant as a folder's: the hub's are `owner/model` with, perhaps, a revision behind @."""
    return name.startswith((".", "/", "~")) or "\\" in name or name.partition("@")[0].count("/") > 1


def model_snapshot(repository: str, revision: str) -> Path:
    """The folder of a model in the cache, filled when the hub can be reached; an empty revision is the main one.

    With HF_HUB_OFFLINE, or without a network, what lies in the cache is taken.

    Raises:
        huggingface_hub.errors.HfHubHTTPError, HFValidationError: the hub says no, or the name is none.
        Exception: it is not cached and the hub cannot be reached, in any of the ways of a network.
    """
    import huggingface_hub

    # A download retries for long; one short question tells at once whether there is a hub and such a model.
    offline = huggingface_hub.is_offline_mode() or not _reachable(repository, revision)
    return Path(
        huggingface_hub.snapshot_download(
            repository,
            revision=revision or None,
            allow_patterns=list(WANTED),
            ignore_patterns=list(UNWANTED),
            local_files_only=offline,
        )
    )


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
