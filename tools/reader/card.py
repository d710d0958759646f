"""The model card of a trained adapter: what it is, what it was made from, how, and what it scores."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polqa_demo.errors import counted
from polqa_demo.version import __version__

if TYPE_CHECKING:
    from tools.reader.fit import DevScore

_LICENCES = (
    ("polaq", "PolAQ (tjur/polaq_master_thesis), MIT"),
    ("xquad", "XQuAD (google-deepmind/xquad), CC BY-SA 4.0"),
    ("questions", "PoQuAD (clarin-pl/poquad), CC BY 4.0"),
    ("passages", "passages of Polish Wikipedia, CC BY-SA"),
)


def write_card(
    folder: Path,
    data: Sequence[Path],
    recipe: Mapping[str, Any],
    questions: int,
    unanswerable: int,
    left_out: int,
    steps: int,
    score: "DevScore | None",
) -> None:
    """Writes README.md with the data, their licences, the command, the recipe and the development score."""
    files = "\n".join(f"- `{path.name}`{_licence(path)}" for path in data)
    command = " ".join(f"--data {path.name}" for path in data) + (" --leave-out IDS" if left_out else "")
    told = (
        f"{score.right} of {counted(score.questions, 'question', 'questions')} kept for development right by "
        "`poleval` with their own passages "
        f"({100 * score.right / score.questions:.1f} %, 95 % interval {100 * score.low:.1f} to {100 * score.high:.1f})."
        if score is not None and score.questions
        else "No question was kept for development."
    )
    text = f"""---
language: pl
base_model: intfloat/multilingual-e5-small
library_name: peft
pipeline_tag: question-answering
license: cc-by-sa-4.0
---
# Span reader: an adapter for multilingual-e5-small

Points at the answer to a Polish question in passages of Polish text. Low-rank changes to the encoder's upper layers
(`adapter_model.safetensors`, peft's layout, float16), heads for the first and last token, for the passage that answers
and for "tak" or "nie" (`heads.safetensors`), and settings (`reader.json`). Base weights:
intfloat/multilingual-e5-small, MIT.

## Data
{counted(questions, "question", "questions")} ({unanswerable} left aside: no span of the passage is near their answer).
{left_out} were kept for testing by `--leave-out`: neither they nor their passages were read.

{files}

## Training
`python -m tools.train reader {command} --out DIR` (polqa-demo {__version__}), seed {recipe["seed"]}, {steps} steps.

```json
{json.dumps(recipe, indent=1)}
```

## Score
{told}

It reads Polish encyclopaedic prose; other texts and languages were not measured. An answer is always a piece of the
passage, "tak" or "nie": it can be wrong, and its confidence is fitted to such questions alone.
"""
    (folder / "README.md").write_text(text, encoding="utf-8")


def _licence(path: Path) -> str:
    return next((f": {licence}" for part, licence in _LICENCES if part in path.name.lower()), "")
