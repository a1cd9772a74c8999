"""Versions of event types: an old shape is brought up when it is read, a newer one is refused.

The tag of a type carries its version: `build` is version 1, `build@2` would be version 2. When a
type gets a new shape, its class takes the new tag, and a function here, registered under the old
tag, makes the fields of the old shape into those of the next.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, get_args

import msgspec

from events.errors import BadLog
from events.messages.sentence import Sentence
from events.types import AnyEvent

Fields = dict[str, Any]
Upcaster = Callable[[Fields], Fields]

_tag = re.compile(r"(?P<name>[a-z][a-z-]*)(?:@(?P<version>[1-9][0-9]{0,5}))?")


class NewerEvent(BadLog):
    """An event of a known type in a version that this code does not know yet."""

    def __init__(self, tag: str, newest: int, *, line: int = 0) -> None:
        self.tag, self.newest = tag, newest
        super().__init__(
            Sentence(
                "{tag} is newer than version {newest}, the newest known here",
                tag=tag,
                newest=newest,
            ),
            line=line,
            field="type",
        )


def split_tag(tag: str) -> tuple[str, int] | None:
    """A tag's type and version, or None when it can be no tag.

    >>> split_tag("year-closed"), split_tag("build@2"), split_tag("build@1")
    (('year-closed', 1), ('build', 2), None)
    """
    match = _tag.fullmatch(tag)
    if match is None or match["version"] == "1":
        return None
    return match["name"], int(match["version"] or 1)


class Upcasters:
    """The tags that can be read, and the way from each old one to the next."""

    def __init__(self, union: Any) -> None:
        self.union = union
        self.current = {_tag_of(kind) for kind in get_args(union)}
        self.steps: dict[str, Upcaster] = {}

    def add(self, tag: str) -> Callable[[Upcaster], Upcaster]:
        """Register the way from an old tag to the next version, which names its own tag."""
        if split_tag(tag) is None or tag in self.current or tag in self.steps:
            raise ValueError(f"{tag} is not the tag of an old version")

        def register(step: Upcaster) -> Upcaster:
            self.steps[tag] = step
            return step

        return register

    @property
    def tags(self) -> set[str]:
        """Every tag that was ever released."""
        return self.current | self.steps.keys()

    def newest(self, name: str) -> int | None:
        """The newest known version of a type."""
        split = (split_tag(tag) for tag in self.tags)
        return max((s[1] for s in split if s is not None and s[0] == name), default=None)

    def refuse_newer(self, tag: object, line: int = 0) -> None:
        if isinstance(tag, str) and (split := split_tag(tag)) is not None:
            newest = self.newest(split[0])
            if newest is not None and split[1] > newest:
                raise NewerEvent(tag, newest, line=line)

    def upcast(self, fields: Fields, line: int = 0) -> Fields:
        """The fields in the newest version of their type.

        >>> upcasters.upcast({"type": "gold", "seat": 1})
        {'type': 'gold', 'seat': 1}
        """
        while (step := self.steps.get(fields.get("type", ""))) is not None:
            fields = step(dict(fields))
        self.refuse_newer(fields.get("type"), line)
        return fields

    def decode(self, data: bytes, line: int = 0) -> Any:
        """An event that the fast decoder of the newest shapes would not take.

        Raises msgspec's error when it is not an old version either, and NewerEvent when it is a
        version from the future.
        """
        fields = msgspec.json.decode(data)
        if isinstance(fields, dict) and isinstance(fields.get("type"), str):
            fields = self.upcast(fields, line)
        return msgspec.convert(fields, self.union)


def _tag_of(kind: Any) -> str:
    return str(kind.__struct_config__.tag)


upcasters = Upcasters(AnyEvent)
"""Those of the released event types. So far every type is in its first version."""
