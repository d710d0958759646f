"""KILT's outputs: the pages that answers rest on. Source: Petroni et al., KILT (arXiv 2009.02252)."""

from typing import Any


def provenance(output: Any) -> list[Any] | None:
    """The pages of KILT's outputs, best first; None where there are none."""
    if not isinstance(output, list):
        return None
    found = [item["provenance"] for item in output if isinstance(item, dict) and "provenance" in item]
    return [page for pages in found if isinstance(pages, list) for page in pages] if found else None
