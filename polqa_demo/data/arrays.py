"""Arrays in files, mapped read only."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


def mapped_array(path: Path) -> NDArray[Any]:
    """The array of a `.npy` file; nothing is unpickled.

    :raises OSError: there is no such file, or it cannot be read
    :raises ValueError: it holds no array
    """
    try:
        found = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError):
        raise
    except Exception as error:  # a damaged header is read as Python's text, which has more ways to be none
        raise ValueError(f"{path.name}: {type(error).__name__}: {error}") from error
    if not isinstance(found, np.ndarray):
        raise ValueError(f"{path.name}: an archive")
    return found
