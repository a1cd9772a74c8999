"""A wait that fails says what it saw."""

from __future__ import annotations

import pytest

from tests.waiting import wait_until


def test_a_wait_that_fails_says_what_it_saw() -> None:
    letters = ["one"]
    with pytest.raises(AssertionError) as error:
        wait_until(lambda: len(letters) == 2, seconds=0)
    assert "len(letters) == 2" in str(error.value)
    assert "letters = ['one']" in str(error.value)
    assert str(error.value).endswith("is False")


def test_a_wait_ends_when_it_holds() -> None:
    letters: list[str] = []
    wait_until(lambda: len(letters) == 2, rest=lambda: letters.append("one"))
