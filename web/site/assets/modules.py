"""ES modules linked into one script, so that a page asks once for all it runs.

Each module stays a scope of its own and runs once, after those that it imports. One that fails is
reported, and takes only those along that import from it, as when each had come alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

IMPORT = re.compile(
    r'^import\s+(?:\{([^}]*)\}\s+from\s+)?"\./([\w-]+)\.js";[ ]*(?=\n|\Z)', re.MULTILINE
)
EXPORT = re.compile(r"^export ((?:async )?function\*?|class|const) (\w+)", re.MULTILINE)
OTHER = re.compile(r"^(?:import|export)\b.*|.*\bimport(?:\(|\.meta\b).*", re.MULTILINE)
RUN = """\
function run(module) {
  try {
    return module();
  } catch (error) {
    reportError(error);
  }
}
"""


class CannotLink(Exception):
    """A module in a form that is not linked here: exports by another name, imports in a circle."""


def link(names: Iterable[str], read: Callable[[str], str]) -> str:
    """One script that runs these modules in this order; `read` gives a module's text by its name.

    >>> texts = {"one": "export const one = 1;", "two": 'import { one } from "./one.js";'}
    >>> print(link(["two"], texts.__getitem__)[len(RUN):])
    const $one = run(() => {
    const one = 1;
    return { one };
    });
    const $two = run(() => {
    const { one } = $one;
    return {  };
    });
    <BLANKLINE>
    """
    linked: dict[str, str] = {}
    under_way: list[str] = []

    def add(name: str) -> None:
        if name in linked:
            return
        if name in under_way:
            raise CannotLink(f"{' imports '.join([*under_way, name])}")
        under_way.append(name)
        text = read(name)
        for found in IMPORT.finditer(text):
            add(found[2])
        linked[name] = wrapped(name, text)
        under_way.pop()

    for name in names:
        add(name)
    return RUN + "".join(linked.values())


def wrapped(name: str, text: str) -> str:
    """A module as a function that gives what it exports. Its lines stay where they are."""
    body = EXPORT.sub(r"\1 \2", IMPORT.sub(taken, text))
    if other := OTHER.search(body):
        raise CannotLink(f"{name}.js: {other[0].strip()}")
    exported = ", ".join(found[2] for found in EXPORT.finditer(text))
    return f"const {variable(name)} = run(() => {{\n{body}\nreturn {{ {exported} }};\n}});\n"


def taken(found: re.Match[str]) -> str:
    names = (found[1] or "").replace(" as ", ": ")
    return f"const {{{names}}} = {variable(found[2])};"


def variable(name: str) -> str:
    return "$" + name.replace("-", "_")
