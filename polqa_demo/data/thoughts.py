"""What a model thought before it answered, by the tags around it, as Qwen, Magistral, Kimi and gpt-oss write them."""

import re

# Beside `<think>`: Magistral's, Kimi's and the channels of gpt-oss.
_THOUGHT = re.compile(
    r"<(/?)(?:think|thinking|thoughts?|reasoning)>|\[(/?)(?-i:THINK)\]|◁(/?)think▷"
    r"|<\|channel\|>(?:analysis|commentary|(final))<\|message\|>",
    re.IGNORECASE,
)


def has_thoughts(text: str) -> bool:
    """Whether a text holds any tag of thoughts."""
    return _THOUGHT.search(text) is not None


def without_thoughts(text: str) -> str:
    """What stands outside the thoughts, also where one of their two tags is missing; the thoughts if nothing does."""
    outside: list[str] = []
    inside: list[str] = []
    start, thinking = 0, False
    for tag in _THOUGHT.finditer(text):
        piece = text[start : tag.start()].strip()
        closes = any(tag.groups())
        if thinking:
            inside.append(piece)
        elif closes:
            # All before a tag that closes what was never opened was thought.
            inside += [*outside, piece]
            outside = []
        else:
            outside.append(piece)
        start, thinking = tag.end(), not closes
    (inside if thinking else outside).append(text[start:].strip())
    return " ".join(filter(None, outside)) or " ".join(filter(None, inside))
