"""Tests of the tests: no rule, no reason and no event type is forgotten."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import engine
from engine.fold import APPLY
from engine.refusals import REASONS
from events.types import AnyEvent

HERE = Path(__file__).parent
ENGINE = Path(engine.__file__).parent
RULES = range(1, 46)


def sources(folder: Path) -> Iterator[ast.Module]:
    for path in sorted(folder.rglob("*.py")):
        yield ast.parse(path.read_text(encoding="utf-8"))


def test_every_rule_has_a_test():
    names = [
        node.name
        for module in sources(HERE)
        for node in module.body
        if isinstance(node, ast.FunctionDef)
    ]
    tested = {int(match[1]) for name in names if (match := re.match(r"test_r(\d+)_", name))}
    assert sorted(tested) == list(RULES), f"without a test: {sorted(set(RULES) - tested)}"


def codes_that_tests_produce() -> set[str]:
    """Codes on the right of `table.refused(…) == "code"`: those tests pass only if it came."""
    return {
        right.value
        for module in sources(HERE)
        for node in ast.walk(module)
        if isinstance(node, ast.Compare)
        and isinstance(node.left, ast.Call)
        and isinstance(node.left.func, ast.Attribute)
        and node.left.func.attr == "refused"
        for right in node.comparators
        if isinstance(right, ast.Constant)
    }


def test_every_reason_is_produced_by_some_test():
    assert sorted(codes_that_tests_produce()) == sorted(REASONS)


def test_the_engine_gives_no_reason_that_is_not_listed():
    given = {
        word.value
        for module in sources(ENGINE)
        for node in ast.walk(module)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "refuse"
        for word in ast.walk(node.args[0])
        if isinstance(word, ast.Constant) and word.value != "start"
    }
    assert given == set(REASONS)


def test_every_reason_names_a_rule_and_its_parameters():
    for code, (rule, sentence) in REASONS.items():
        assert not rule or int(rule.removeprefix("R")) in RULES, code
        assert sentence.endswith("."), code


def test_every_event_type_is_applied():
    assert set(APPLY) == set(AnyEvent.__args__)
