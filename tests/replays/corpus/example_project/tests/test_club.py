"""The club's own tests, with the club's own packages."""

from engine import pressure
from web import SPIDERS


def test_the_clubs_packages_are_the_clubs():
    assert (pressure(), SPIDERS) == (12, 1)
