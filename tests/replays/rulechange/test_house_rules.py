"""House rules by file: only what differs is named, and what is wrong is said in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import BadMaterial
from engine.material import library
from engine.material.choices import ALLOWED, chosen
from engine.material.library import read_ruleset
from events.material import Ruleset
from replays.files.rulesets import load_ruleset


def test_a_base_and_the_differences_to_it(tmp_path: Path) -> None:
    as_json = tmp_path / "mine.json"
    as_json.write_text('{"name": "mine", "base": "fi", "limits": false}')
    as_toml = tmp_path / "mine.toml"
    as_toml.write_text('name = "mine"\nbase = "fi"\nlimits = false\n')
    found = load_ruleset(str(as_json))
    assert found == load_ruleset(str(as_toml))
    assert (found.relocation_order, found.limits) == ("counter-clockwise-at-two", False)
    assert found.hospital_bonus == library.ruleset("fi").hospital_bonus


def test_without_a_base_it_is_the_standard() -> None:
    assert read_ruleset(b'{"name": "mine"}') == Ruleset(name="mine")


@pytest.mark.parametrize("choice", ALLOWED)
def test_every_value_of_every_choice_is_taken(choice: str) -> None:
    for value in ALLOWED[choice]:
        word = f'"{value}"' if isinstance(value, str) else str(value).lower()
        text = f'{{"name": "mine", "{choice}": {word}}}'
        assert chosen(read_ruleset(text.encode()), choice) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '{"name": "x", "display": "foo"}',
            'choice display must be one of refill, ageing, not "foo"',
        ),
        ('{"name": "x", "flush": 1}', "choice flush must be one of true, false, not 1"),
        ('{"name": "x", "flush": "true"}', "choice flush must be one of true, false"),
        ('{"name": "x", "speed": 2}', "no choice named speed; there are pass_when, distance"),
        ('{"name": "x", "base": "klingon"}', "base must be one of standard, en"),
        ('{"name": "x", "base": ["de"]}', "base must be one of"),
        ('{"name": "x", "base": "flush", "display": "ageing"}', "flush contradicts"),
        ("{}", "its name"),
        ('{"name": 7}', "its name"),
        ('{"name": "../etc"}', "its name"),
        ('{"name": "x", "\\u001b[2J": 1}', "no choice named"),
        ('{"name": "x", "display": {"a": [1, 2]}}', "choice display must be"),
        ("[]", "it has to name choices"),
        ("null", "it has to name choices"),
        ("{", "ruleset: "),
        ("", "ruleset: "),
        ("[" * 100_000, "larger than"),
        ("[" * 10_000, "ruleset: "),
        ('{"name": "x", "display": "' + "y" * 9000 + '"}', "choice display must be"),
    ],
)
def test_what_is_wrong_is_named(text: str, message: str) -> None:
    with pytest.raises(BadMaterial) as caught:
        read_ruleset(text.encode())
    assert message in str(caught.value)
    assert len(str(caught.value)) < 300
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    "text", [b"name = ", b"\xff\xfe", b"a = " + b"[" * 9000, b"name = 1979-05-27"]
)
def test_bad_toml(text: bytes) -> None:
    with pytest.raises(BadMaterial, match="ruleset: "):
        read_ruleset(text, "toml")


def test_a_preset_keeps_its_name(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text('{"name": "flush", "base": "de"}')
    with pytest.raises(BadMaterial, match="flush is the name of a preset"):
        load_ruleset(str(file))


def test_neither_a_preset_nor_a_file() -> None:
    with pytest.raises(BadMaterial, match=r"no ruleset named x; there are standard.*\.toml"):
        load_ruleset("x")
