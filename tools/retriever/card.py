"""The model card of a vector adapter: what it is, what it was made from, how, and what it scores."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from polqa_demo.evaluation.paired import difference_interval
from polqa_demo.version import __version__

if TYPE_CHECKING:
    from tools.retriever.training import DevScore

_LICENCES = {
    "polaq": "PolAQ (tjur/polaq_master_thesis), MIT",
    "xquad": "XQuAD (google-deepmind/xquad), CC BY-SA 4.0",
    "questions": "PoQuAD (clarin-pl/poquad), CC BY 4.0",
    "passages": "passages of Polish Wikipedia, CC BY-SA",
}


def write_card(
    folder: Path,
    data: Sequence[Path],
    encoder: str,
    recipe: Mapping[str, Any],
    questions: int,
    dev: "Sequence[DevScore]",
) -> None:
    """Writes README.md with the data, their licences, the command, the recipe and the development scores."""
    files = "\n".join(f"- `{path.name}`{_licence(path)}" for path in data)
    command = " ".join(f"--data {path.name}" for path in data)
    text = f"""---
language: [pl, multilingual]
base_model: intfloat/multilingual-e5-small
pipeline_tag: sentence-similarity
license: cc-by-sa-4.0
---
# Retrieval adapter: question vectors of {encoder}, nearer to their passages

A linear map of the question's vector (`adapter.safetensors`, halves; `adapter.json`): q becomes q + q M + s, length 1.
Vectors of passages stay as the encoder makes them. Applied with numpy.

## Data
{questions} pairs of question and passage.

{files}

## Training
`python -m tools.train retriever {command} --out DIR` (polqa-demo {__version__}), seed {recipe["seed"]}. Contrastive
loss over all passages of a collection, held near the identity. The same numbers come out for the same vectors; vectors
differ by rounding between machines.

```json
{json.dumps(recipe, indent=1)}
```

## Scores
Articles kept for development, vectors alone: MRR@10 without and with the adapter, the difference with its 95 %
interval (bootstrap over questions; questions on one article are alike, so the true one is wider).

{_table(dev)}

The questions are of encyclopaedic texts; other texts were not trained on.
"""
    (folder / "README.md").write_text(text, encoding="utf-8")


def _table(dev: "Sequence[DevScore]") -> str:
    if not dev:
        return "No article was kept for development."
    lines = ["| questions -> passages | n | without | with | difference |", "|---|---|---|---|---|"]
    for score in dev:
        before, after = (np.where(ranks <= 10, 1 / ranks, 0).tolist() for ranks in (score.before, score.after))
        low, high, _ = difference_interval(after, before)
        first, second = 100 * float(np.mean(before)), 100 * float(np.mean(after))
        bounds = f"{100 * low:+.2f} to {100 * high:+.2f}"
        lines.append(
            f"| {score.name} | {len(before)} | {first:.2f} | {second:.2f} | {second - first:+.2f} ({bounds}) |"
        )
    return "\n".join(lines)


def _licence(path: Path) -> str:
    return next((f": {licence}" for part, licence in _LICENCES.items() if part in path.name.lower()), "")
