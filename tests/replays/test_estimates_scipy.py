"""The formulas, against SciPy over a grid."""

from __future__ import annotations

import itertools
import random

import pytest
from scipy import stats

from replays import estimates
from tests.replays.test_estimates import moments

FREEDOMS = (1, 2, 3, 4, 5, 7, 10, 19, 30, 57, 120, 499, 1000, 10_000, 10**6)


@pytest.mark.parametrize("freedom", FREEDOMS)
def test_student(freedom: int) -> None:
    for t in (0.0, 1e-6, 0.01, 0.3, 0.9, 1.0, 1.96, 2.5, 4.0, 8.0, 20.0, 60.0, 1000.0):
        expected = 2 * stats.t.sf(t, freedom)
        assert estimates.student_p(t, freedom) == pytest.approx(expected, rel=1e-6, abs=1e-15)
    for chance in (0.6, 0.75, 0.9, 0.95, 0.975, 0.99, 0.995, 0.9995):
        expected = stats.t.ppf(chance, freedom)
        assert estimates.student_quantile(chance, freedom) == pytest.approx(expected, rel=1e-7)


@pytest.mark.parametrize("freedom", [*range(1, 12), 20, 51, 100, 300])
def test_chi_squared(freedom: int) -> None:
    for value in (0.0, 0.01, 0.5, 1.0, 3.0, 10.0, 50.0, 200.0, 600.0):
        expected = stats.chi2.sf(value, freedom)
        assert estimates.chi_squared_p(value, freedom) == pytest.approx(
            expected, rel=1e-9, abs=1e-15
        )


def test_evenness() -> None:
    rng = random.Random(1)
    for parts in (2, 3, 4, 5, 9):
        hits = [rng.randrange(1, 60) for _ in range(parts)]
        assert estimates.even_p(hits) == pytest.approx(stats.chisquare(hits).pvalue, rel=1e-9)


def test_wilson() -> None:
    for count in (1, 2, 5, 17, 100, 2500, 10**6):
        for hits in {0, 1, count // 3, count // 2, count - 1, count}:
            interval = stats.binomtest(hits, count).proportion_ci(0.95, method="wilson")
            found = estimates.share_estimate(hits, count)
            assert (found.low, found.high) == pytest.approx(
                (interval.low, interval.high), rel=1e-9, abs=1e-12
            )


def test_means_and_pairs() -> None:
    rng = random.Random(2)
    for count, shift in itertools.product((2, 3, 10, 400), (0.0, 0.2, 3.0)):
        values = [rng.gauss(shift, 1.7) for _ in range(count)]
        expected = stats.ttest_1samp(values, 0.0)
        interval = expected.confidence_interval(0.95)
        found = estimates.mean_estimate(moments(*values))
        assert estimates.paired_p(moments(*values)) == pytest.approx(expected.pvalue, rel=1e-6)
        assert (found.low, found.high) == pytest.approx((interval.low, interval.high), rel=1e-7)


def test_holm() -> None:
    """By its definition, since SciPy has only Benjamini's and Hochberg's."""
    rng = random.Random(3)
    for count in (1, 2, 7, 30):
        chances = sorted(rng.random() ** 3 for _ in range(count))
        steps = [min(1.0, (count - rank) * each) for rank, each in enumerate(chances)]
        expected = list(itertools.accumulate(steps, max))
        assert estimates.holm(chances) == pytest.approx(expected)
