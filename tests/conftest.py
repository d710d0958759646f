"""Fixtures for every room. The suite writes its own inputs; only tests marked `real` look for public data."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of public real files: POLQA_SHARED, or `shared` beside the checkout; skips visibly when absent."""
    folder = Path(os.environ.get("POLQA_SHARED") or Path(__file__).resolve().parents[2] / "shared")
    if not (folder / "data").is_dir():
        pytest.skip(f"real data absent: no folder {folder.name} beside the checkout and no POLQA_SHARED")
    return folder


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes have no name of their own: packed ones hold the time, and every worker must collect the same tests."""
    return argname if isinstance(val, bytes) else None
