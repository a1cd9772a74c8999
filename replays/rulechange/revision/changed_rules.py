"""Which rules of the rulebook two versions of the code do differently, found by their numbers.

Every rule is named where it stands (`grep -rn R35 engine`): in a definition that was edited, or,
for a number that was, in the definitions that use it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from engine.material.choices import RULES

ENGINE = "engine"
BOTS = "bots"
"""Who only plays by the rules."""
_rule = re.compile(r"\bR\d+\b")

Definitions = dict[str, str]
"""Per name, with its class before it, the source of a definition."""


def changed_rules(before: Path, after: Path) -> list[str]:
    """The rules behind all definitions that two folders of code have otherwise, in order."""
    old, new = read_engine(before), read_engine(after)
    changed = {name for name in old | new if old.get(name) != new.get(name)}
    found: set[str] = set()
    for name in changed:
        sources = [code[name] for code in (old, new) if name in code]
        rules = {rule for source in sources for rule in _rule.findall(source)}
        found |= rules or rules_using(name.rpartition(".")[2], new)
    return sorted(found, key=lambda rule: int(rule[1:]))


def read_engine(folder: Path) -> Definitions:
    """Every definition of the rules: functions, methods, classes without those, and values."""
    found: Definitions = {}
    for file in sorted((folder / ENGINE).rglob("*.py")):
        if BOTS in file.relative_to(folder / ENGINE).parts:
            continue
        text = file.read_text(encoding="utf-8")
        try:
            tree = ast.parse(text)
        except SyntaxError:
            continue
        module = file.relative_to(folder).with_suffix("").as_posix()
        for name, source in definitions(tree.body, text):
            found[f"{module}:{name}"] = source
    return found


def definitions(body: list[ast.stmt], text: str) -> Iterator[tuple[str, str]]:
    for node in body:
        source = ast.get_source_segment(text, node) or ""
        if isinstance(node, ast.FunctionDef):
            yield node.name, source
        elif isinstance(node, ast.ClassDef):
            for name, part in definitions(node.body, text):
                yield f"{node.name}.{name}", part
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                yield ast.unparse(target), source


def rules_using(name: str, code: Definitions) -> set[str]:
    """The rules that use a value: those of the choice that stands for it in a ruleset, and of the
    definitions that name either."""
    name = name.rpartition(":")[2]
    names = {name}
    for source in code.values():
        names |= set(re.findall(rf"\b(\w+)\s*(?::[^=\n]*)?=[^\n]*\b{re.escape(name)}\b", source))
    found = {rule for each in names for rule in RULES.get(each, ())}
    if found:
        return found
    used = re.compile("|".join(rf"\b{re.escape(each)}\b" for each in sorted(names)))
    return {
        rule for source in code.values() if used.search(source) for rule in _rule.findall(source)
    }
