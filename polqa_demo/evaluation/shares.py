"""What a measure comes to over many questions: a share of them, or a mean of their values."""

from dataclasses import dataclass

from polqa_demo.evaluation.significance import wilson_interval


@dataclass(frozen=True, slots=True)
class Share:
    """`hits` of `n` questions."""

    hits: int
    n: int

    @property
    def value(self) -> float:
        """The share, 0..1."""
        return self.hits / self.n

    @property
    def interval(self) -> tuple[float, float]:
        """Both ends, 0..1, of its 95 % Wilson interval."""
        return wilson_interval(self.hits, self.n)


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of the values, 0..1, of `n` questions."""

    value: float
    n: int
