"""One line that says how a score came about, as sacreBLEU's: equal signatures mean comparable scores."""

import hashlib
import json
from collections.abc import Mapping

from polqa_demo.records import GoldSet
from polqa_demo.version import __version__


def gold_checksum(gold: GoldSet) -> str:
    """Ten hexadecimal digits over what a gold set says is right: questions' ids, golds and judgements (SHA-256)."""
    content = (
        [(question.id, question.answers) for question in gold.questions],
        [(item.question_id, item.passage_id, item.relevant, item.source) for item in gold.judgements],
    )
    return hashlib.sha256(json.dumps(content, ensure_ascii=False).encode()).hexdigest()[:10]


def gold_title(gold: GoldSet) -> str:
    """The name under which a gold set stands beside a score: `polqa-demo-sample/test`."""
    return f"{gold.name}/{gold.split}" if gold.split else gold.name


def signature(gold: GoldSet, policies: Mapping[str, str]) -> str:
    """The signature of a score: what was scored against what, by which rule and policies, by which version."""
    parts = {
        "gold": f"{_plain(gold_title(gold))}@{gold_checksum(gold)}",
        "n": str(len(gold.questions)),
        **policies,
        "version": __version__,
    }
    return "polqa-demo|" + "|".join(f"{key}:{value}" for key, value in parts.items())


def _plain(name: str) -> str:
    """A name without what parts a signature, so that a file's name cannot pose as a policy."""
    return "".join("_" if sign in "|:@" or sign.isspace() else sign for sign in name)
