"""How many tokens a model reads, and how many a text has before any cut."""

from collections.abc import Callable, Sequence
from typing import Any

UNBOUNDED = 8_192
"""Tokens read by a model that names no limit, so that one huge passage cannot take all memory."""

TokenCounter = Callable[[Sequence[Any]], list[int]]
"""Texts, or pairs of texts, to their numbers of tokens, the special ones included."""


def most_tokens(stated: float | None, config: Any) -> int:
    """A model's length: that of its tokenizer, but never beyond its table of positions.

    Models of the RoBERTa family count positions from behind the padding's id, so their table holds two more.

    :param stated: what the tokenizer's files say; some say nothing, and some a number like infinity
    :param config: the network's configuration, as transformers has it
    """
    limits = [int(min(stated, UNBOUNDED)) if stated and stated > 0 else UNBOUNDED]
    positions = getattr(config, "max_position_embeddings", None)
    if isinstance(positions, int) and positions > 0:
        kind = config.model_type
        shifted = "roberta" in kind or kind in ("camembert", "mpnet", "xmod", "longformer")
        limits.append(positions - (config.pad_token_id or 0) - 1 if shifted else positions)
    return min(limits)


def token_counter(tokenizer: Any) -> TokenCounter:
    """A counter with a tokenizer of its own, since a model's is not safe in threads."""
    backend: Any = getattr(tokenizer, "backend_tokenizer", tokenizer)
    if not hasattr(backend, "encode_batch_fast"):
        # No such models are known; only the order and the counts of cuts suffer.
        return lambda texts: [sum(map(len, (text,) if isinstance(text, str) else text)) // 2 for text in texts]
    from tokenizers import Tokenizer

    own = Tokenizer.from_str(backend.to_str())
    own.no_truncation()
    own.no_padding()
    return lambda texts: [len(encoding) for encoding in own.encode_batch_fast(list(texts))]
