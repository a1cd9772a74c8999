"""Guessing passwords gets nobody in, and takes nobody else's time or the server's memory."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from tests.attacks.host import ATTACKERS, Host
from tests.attacks.siege import Asking, withstand

pytestmark = pytest.mark.long

MOST_GUESSES = 60
"""Passwords that may be tried at one account from many addresses, while the attack lasts."""


def guesses(host: Host, name: str) -> Asking:
    who, times = host.visitor(), count()
    return lambda: who.log_in(name, f"password {next(times)}").status


@pytest.mark.parametrize("name", ["Player 0", "Nobody at all"])
def test_guessing(name: str, tmp_path: Path) -> None:
    """Many addresses try passwords for one name, whether somebody has it or not."""
    with Host(tmp_path) as host:
        answers = withstand(host, [guesses(host, name) for _ in range(ATTACKERS)])
    assert answers.keys() <= {401, 429}
    assert answers[429]
    assert 0 < answers[401] <= MOST_GUESSES
