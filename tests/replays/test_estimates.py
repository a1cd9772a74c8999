"""The formulas, against values printed in statistical tables or worked out by hand."""

from __future__ import annotations

import math
from statistics import mean, stdev

import pytest

from replays.estimates import (
    Moments,
    chi_squared_p,
    even_p,
    holm,
    mean_estimate,
    paired_p,
    share_estimate,
    student_p,
    student_quantile,
)


def moments(*values: float) -> Moments:
    found = Moments()
    for value in values:
        found.add(value)
    return found


@pytest.mark.parametrize(
    ("freedom", "bound"),
    [(1, 12.706), (2, 4.303), (5, 2.571), (10, 2.228), (30, 2.042), (120, 1.980), (10**6, 1.960)],
)
def test_student_quantiles_are_those_of_the_tables(freedom: int, bound: float) -> None:
    assert student_quantile(0.975, freedom) == pytest.approx(bound, abs=5e-4)
    assert student_p(student_quantile(0.975, freedom), freedom) == pytest.approx(0.05, abs=1e-9)


def test_student_with_one_and_two_degrees_of_freedom_has_a_formula() -> None:
    for t in (0.1, 1.0, 3.0, 40.0):
        assert student_p(t, 1) == pytest.approx(1 - 2 * math.atan(t) / math.pi, rel=1e-9)
        assert student_p(t, 2) == pytest.approx(1 - t / math.sqrt(2 + t * t), rel=1e-6)
        assert student_p(-t, 7) == student_p(t, 7)


@pytest.mark.parametrize(
    ("value", "freedom", "chance"),
    [(3.841, 1, 0.05), (5.991, 2, 0.05), (7.815, 3, 0.05), (9.488, 4, 0.05), (13.277, 4, 0.01)],
)
def test_chi_squared_is_that_of_the_tables(value: float, freedom: int, chance: float) -> None:
    assert chi_squared_p(value, freedom) == pytest.approx(chance, rel=2e-3)


def test_evenness() -> None:
    assert even_p([10, 10, 10, 10]) == 1.0
    assert even_p([0, 0]) == 1.0
    # 15.0 with three degrees of freedom
    assert even_p([9, 12, 18, 1]) == pytest.approx(0.00182, abs=1e-5)


def test_welfords_moments_are_the_mean_and_the_deviation() -> None:
    values = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0]
    found = moments(*values)
    assert found.mean == pytest.approx(mean(values))
    assert found.deviation == pytest.approx(stdev(values))


def test_students_interval_and_paired_test_on_students_own_sleep_data() -> None:
    """Student 1908, extra hours of sleep by two drugs: t = 4.0621, p = 0.002833, 0.70 to 2.46."""
    one = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    two = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    apart = moments(*(b - a for a, b in zip(one, two, strict=True)))
    assert paired_p(apart) == pytest.approx(0.002833, abs=1e-6)
    found = mean_estimate(apart)
    assert found.value == pytest.approx(1.58)
    assert (found.low, found.high) == pytest.approx((0.7001142, 2.4598858), abs=1e-6)


def test_pairs_without_spread() -> None:
    assert paired_p(moments(0, 0, 0)) == 1.0
    assert paired_p(moments(2, 2, 2)) == 0.0
    assert paired_p(moments(5)) == 1.0


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
    ],
)
def test_wilsons_interval(hits: int, of: int, low: float, high: float) -> None:
    """The last two are Newcombe's examples of 1998."""
    found = share_estimate(hits, of)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-4)


def test_holms_correction_keeps_the_order_and_stops_at_one() -> None:
    assert holm([0.6, 0.01, 0.5]) == pytest.approx([1.0, 0.03, 1.0])
    assert holm([]) == []
