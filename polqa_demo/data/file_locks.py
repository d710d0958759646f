"""Locks of files between processes: held as long as the file is open, and gone with the process, however that ends."""

from typing import BinaryIO


def take_lock(file: BinaryIO) -> bool | None:
    """Whether the lock of an open file was taken; False where another holds it, None where the system knows no such.

    :raises OSError: the file system has no locks
    """
    try:
        import fcntl
    except ImportError:  # pragma: no cover - Windows
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
