"""Quiz commands with an answer of a known form: expand an abbreviation, finish a saying."""

from polqa_demo.reading.passage_tokens import PassageTokens, tokenize, word_of
from polqa_demo.reading.question_types import Understood

_LONGEST_EXPANSION = 14  # tokens
_LONGEST_ENDING = 8  # words of a saying's end
_FEWEST_MATCHED = 2  # words of the saying that must stand in the passage


def expansion(question: Understood, tokens: PassageTokens) -> tuple[int, int] | None:
    """The first run of tokens whose words begin with the abbreviation's letters; small words may stand between."""
    for form, _, _ in tokenize(question.text):
        letters = [letter.lower() for letter in form if letter.isalpha()]
        if len(letters) < 2 or sum(letter.isupper() for letter in form) < 2:
            continue
        for first, word in enumerate(tokens.words):
            if word.lower[:1] == letters[0] and tokens.forms[first] != form:
                last = _spelled(tokens, first, letters)
                if last is not None:
                    return first, last
    return None


def _spelled(tokens: PassageTokens, first: int, letters: list[str]) -> int | None:
    place, found = first, 1
    while found < len(letters):
        place += 1
        if place >= len(tokens) or place - first >= _LONGEST_EXPANSION or not tokens.words[place].is_word:
            return None
        if tokens.words[place].lower[0] == letters[found]:
            found += 1
        elif not tokens.words[place].stop:
            return None
    return place


def completion(question: Understood, tokens: PassageTokens) -> tuple[int, int] | None:
    """What follows the longest end of the saying in the passage, up to the next closing sign."""
    asked = [word_of(form).lower for form, _, _ in tokenize(question.text) if word_of(form).is_word]
    spots = [place for place, word in enumerate(tokens.words) if word.is_word]
    written = [tokens.words[place].lower for place in spots]
    best, behind = _FEWEST_MATCHED - 1, -1
    for end in range(len(written) - 1):
        if not asked or written[end] != asked[-1]:
            continue
        length = 1
        while length <= min(end, len(asked) - 1) and written[end - length] == asked[-1 - length]:
            length += 1
        if length > best:
            best, behind = length, end
    if behind < 0:
        return None
    first = last = spots[behind + 1]
    for place in spots[behind + 1 : behind + 1 + _LONGEST_ENDING]:
        if any(sign in '.!?;”"»)' for sign in tokens.forms[last + 1 : place]):
            break
        last = place
    return first, last
