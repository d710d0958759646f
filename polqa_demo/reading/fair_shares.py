"""A length divided among texts so that each keeps a fair share: short ones whole, long ones alike."""

from collections.abc import Sequence


def fair_shares(lengths: Sequence[int], budget: int, least: int) -> list[int]:
    """How much of each text is kept, in the unit of `lengths`; the sum is at most `budget`.

    What short texts do not need goes to the longer ones (max-min fairness). When not even `least` is there for each,
    texts are left out from the end, with a share of 0.
    """
    count = len(lengths)
    while count > 1 and sum(min(length, least) for length in lengths[:count]) > budget:
        count -= 1
    shares = [0] * len(lengths)
    left = max(budget, 0)
    # Shortest first: whoever needs less than an equal part of what is left gets all it needs.
    for place, number in enumerate(sorted(range(count), key=lambda number: lengths[number])):
        shares[number] = min(lengths[number], left // (count - place))
        left -= shares[number]
    return shares
