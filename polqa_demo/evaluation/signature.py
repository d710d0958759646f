"""One line that says how a score came about, as sacreBLEU's: equal signatures mean comparable scores."""

import hashlib
import hmac
import json
from collections.abc import Mapping

from polqa_demo.data.gold_rows import is_graded
from polqa_demo.records import GoldSet
from polqa_demo.version import __version__


def gold_checksum(gold: GoldSet) -> str:
    """Ten hexadecimal digits over what a gold set says is right: questions' ids, golds and judgements (SHA-256).

    Judgements without grades count as relevant or not, so that 1 and 0 have the checksum of True and False. A secret
    gold has a checksum of its own, see `keyed_checksum`.
    """
    return gold.sealed.checksum if gold.sealed else hashlib.sha256(_content(gold)).hexdigest()[:10]


def keyed_checksum(gold: GoldSet, key: bytes) -> str:
    """The same under a key (HMAC), so that nobody without the key can check a guess of the gold against it."""
    return hmac.new(key, _content(gold), hashlib.sha256).hexdigest()[:10]


def _content(gold: GoldSet) -> bytes:
    graded = is_graded(item.grade for item in gold.judgements)
    content = (
        [(question.id, question.answers) for question in gold.questions],
        [
            (item.question_id, item.passage_id, item.grade if graded else item.relevant, item.source)
            for item in gold.judgements
        ],
    )
    return json.dumps(content, ensure_ascii=False).encode()


def gold_title(gold: GoldSet) -> str:
    """The name under which a gold set stands beside a score: `polqa-demo-sample/test`."""
    return f"{gold.name}/{gold.split}" if gold.split else gold.name


def signature(gold: GoldSet, policies: Mapping[str, str]) -> str:
    """The signature of a score: what was scored against what, by which rule and policies, by which version."""
    parts = {
        "gold": f"{plain_name(gold_title(gold))}@{gold_checksum(gold)}",
        "n": str(len(gold.questions)),
        **policies,
        "version": __version__,
    }
    return "polqa-demo|" + "|".join(f"{key}:{value}" for key, value in parts.items())


def plain_name(name: str) -> str:
    """A name without what parts a signature, so that a file's name cannot pose as a policy."""
    return "".join("_" if sign in "|:@" or sign.isspace() else sign for sign in name)
