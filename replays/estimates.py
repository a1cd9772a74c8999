"""The few formulas that tell chance from more: intervals, a test for pairs, one for evenness.

Everything is written out, so that anyone can check it; no table and no sampling is needed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from statistics import NormalDist

import msgspec

SURE = 0.95
"""How sure an interval is."""
Z = NormalDist().inv_cdf((1 + SURE) / 2)


class Estimate(msgspec.Struct, frozen=True):
    """A figure, and between which bounds the true one lies, 95 times of 100."""

    value: float
    low: float
    high: float


class Moments:
    """Count, mean and spread of numbers that go by, by Welford's method."""

    __slots__ = ("_squares", "count", "mean")

    def __init__(self) -> None:
        self.count, self.mean, self._squares = 0, 0.0, 0.0

    def add(self, value: float) -> None:
        self.count += 1
        off = value - self.mean
        self.mean += off / self.count
        self._squares += off * (value - self.mean)

    @property
    def deviation(self) -> float:
        """The standard deviation of a sample."""
        return math.sqrt(self._squares / (self.count - 1)) if self.count > 1 else 0.0

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return self.deviation / math.sqrt(self.count) if self.count else 0.0


def mean_estimate(moments: Moments) -> Estimate:
    """A mean with Student's interval."""
    if moments.count < 2:
        return Estimate(moments.mean, -math.inf, math.inf)
    reach = student_quantile((1 + SURE) / 2, moments.count - 1) * moments.error
    return Estimate(moments.mean, moments.mean - reach, moments.mean + reach)


def share_estimate(hits: float, count: int) -> Estimate:
    """A share with Wilson's interval. Hits may be parts, as shared wins are.

    >>> wins = share_estimate(95, 100)
    >>> round(wins.low, 3), round(wins.high, 3)
    (0.888, 0.978)
    """
    if not count:
        return Estimate(0.0, 0.0, 1.0)
    share, square = hits / count, Z * Z
    middle = share + square / (2 * count)
    reach = Z * math.sqrt(share * (1 - share) / count + square / (4 * count * count))
    whole = 1 + square / count
    low, high = (middle - reach) / whole, (middle + reach) / whole
    return Estimate(share, min(share, max(0.0, low)), max(share, min(1.0, high)))


def paired_p(differences: Moments) -> float:
    """Student's test for pairs: how often chance alone makes a mean difference this large."""
    if differences.count < 2:
        return 1.0
    if not differences.error:
        return 0.0 if differences.mean else 1.0
    return student_p(differences.mean / differences.error, differences.count - 1)


def student_p(t: float, freedom: int) -> float:
    """Two-sided: the chance of a Student variable beyond ±t.

    >>> round(student_p(2.228, 10), 3)
    0.05
    """
    return _incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t))


@cache
def student_quantile(chance: float, freedom: int) -> float:
    """The bound that a Student variable stays below with such a chance, above one half.

    >>> round(student_quantile(0.975, 10), 3)
    2.228
    """
    low, high = 0.0, 2.0
    while student_p(high, freedom) > 2 * (1 - chance):
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        if student_p(middle, freedom) > 2 * (1 - chance):
            low = middle
        else:
            high = middle
    return high


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function, by Lentz's continued fraction."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1.0 - _incomplete_beta(b, a, 1 - x)
    log = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    front = math.exp(log + a * math.log(x) + b * math.log1p(-x)) / a
    d = 1 / (1 - (a + b) * x / (a + 1))
    c, fraction = 1.0, d
    for m in range(1, 400):
        before, n = fraction, 2 * m
        even = m * (b - m) * x / ((a + n - 1) * (a + n))
        odd = -(a + m) * (a + b + m) * x / ((a + n) * (a + n + 1))
        for term in (even, odd):
            d = 1 / (1 + term * d)
            c = 1 + term / c
            fraction *= c * d
        if abs(fraction - before) < 1e-15 * abs(fraction):
            break
    return front * fraction


def even_p(hits: Sequence[float]) -> float:
    """Pearson's chi-squared test: how often chance alone makes equal shares look this uneven.

    >>> round(even_p([9, 12, 18, 1]), 4)
    0.0018
    """
    fair = sum(hits) / len(hits)
    if not fair:
        return 1.0
    return chi_squared_p(sum((each - fair) ** 2 for each in hits) / fair, len(hits) - 1)


def chi_squared_p(value: float, freedom: int) -> float:
    """The chance of a chi-squared variable beyond a value, two degrees of freedom at a time.

    >>> round(chi_squared_p(7.815, 3), 3)
    0.05
    """
    half = value / 2
    if not half:
        return 1.0
    chance = math.erfc(math.sqrt(half)) if freedom % 2 else math.exp(-half)
    for freed in range(2 - freedom % 2, freedom, 2):
        power = freed / 2
        chance += math.exp(power * math.log(half) - half - math.lgamma(power + 1))
    return chance


def holm(chances: Sequence[float]) -> list[float]:
    """Holm's correction: among many tests some look sure by chance, so each must be surer.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(chances)), key=lambda index: chances[index])
    corrected, least = [1.0] * len(chances), 0.0
    for rank, index in enumerate(order):
        least = max(least, min(1.0, (len(chances) - rank) * chances[index]))
        corrected[index] = least
    return corrected
