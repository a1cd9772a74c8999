"""Versions of stored shapes: an old one is brought up when it is read, a newer one is refused.

The tag of a type carries its version: `build` is version 1, `build@2` would be version 2. When a
type gets a new shape, its class takes the next tag, and its list of steps one more function, which
makes the fields of the last version into those of the new one. Nothing else knows the old shape.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar, get_args

import msgspec

from events.errors import BadLog
from events.messages.sentence import Sentence
from events.types import AnyEvent

T = TypeVar("T")
Fields = dict[str, Any]
Step = Callable[[Fields], Fields]
Steps = Mapping[str, Sequence[Step]]
"""By type, without a version, the steps that lead on from version 1, 2, 3 …"""

_tag = re.compile(r"(?P<name>[a-z][a-z-]*)(?:@(?P<version>[1-9][0-9]{0,5}))?")


class NewerEvent(BadLog):
    """Something of a known type in a version that this code does not know yet."""

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


def type_of(kind: Any) -> str:
    """The type of an event or of its class, whatever its version.

    >>> from events.types import YearClosed
    >>> type_of(YearClosed)
    'year-closed'
    """
    return str(kind.__struct_config__.tag).partition("@")[0]


class Upcasters(Generic[T]):
    """Reads one union of tagged shapes, or one document, in every version that it ever had.

    A document is a single shape: `document` is its type. It has no tag in its first version and
    begins with one from the second on. `within` brings up the events that a shape holds.
    """

    def __init__(
        self,
        shapes: Any,
        steps: Steps | None = None,
        *,
        document: str = "",
        within: Upcasters[Any] | None = None,
    ) -> None:
        self.shapes, self.steps = shapes, dict(steps or {})
        self.document, self.within = document, within
        self.decoder: msgspec.json.Decoder[T] = msgspec.json.Decoder(shapes)
        kinds = get_args(shapes) or (shapes,)
        self.current = {str(kind.__struct_config__.tag or document) for kind in kinds}
        self.newest = {name: len(each) + 1 for name, each in self.steps.items()}
        for tag in self.current:
            name, version = split_tag(tag) or ("", 0)
            if self.newest.setdefault(name, 1) != version:
                raise ValueError(f"the steps of {name or tag} do not lead to {tag}")
        if self.newest.keys() != {tag.partition("@")[0] for tag in self.current}:
            raise ValueError("there are steps of a type that is not there")

    @property
    def tags(self) -> set[str]:
        """Every tag that was ever released."""
        return {
            _tagged(name, version)
            for name, newest in self.newest.items()
            for version in range(1, newest + 1)
        }

    def decode(self, data: bytes, line: int = 0) -> T:
        """The thing itself, brought up to the newest version of its type.

        Raises msgspec's error where it is wrong in every version, and NewerEvent where it is, or
        holds, something from the future.

        >>> upcasters.decode(b'{"type":"gold","seat":2}')
        TakeGold(seat=2, time=0, by='')
        """
        if not self.document or self._begins_newest(data):
            try:
                return self.decoder.decode(data)
            except msgspec.ValidationError as error:
                return self._decode_old(data, line, error)
        return self._decode_old(data, line)

    def _begins_newest(self, data: bytes) -> bool:
        """Whether a document can be of the newest version, which its shape alone does not tell."""
        tag = _tagged(self.document, self.newest[self.document])
        if tag == self.document:
            return not data.startswith(b'{"type":')
        return data.startswith(b'{"type":"%s"' % tag.encode())

    def _decode_old(
        self, data: bytes, line: int, error: msgspec.ValidationError | None = None
    ) -> T:
        try:
            fields = msgspec.json.decode(data)
        except (msgspec.MsgspecError, RecursionError, UnicodeError):
            raise error or msgspec.ValidationError("Expected `object`") from None
        brought_up = self.bring_up(fields, line)
        if error is not None and brought_up == fields:
            raise error
        shape: T = msgspec.convert(brought_up, self.shapes, str_keys=True)
        return shape

    def bring_up(self, data: Any, line: int = 0) -> Any:
        """Plain data in its newest version, and so all events in it."""
        if self.within is not None:
            data = self.within.bring_up_all(data, line)
        return self.upcast(data, line) if isinstance(data, dict) else data

    def bring_up_all(self, data: Any, line: int) -> Any:
        """Plain data with everything in it, however deep, that has a tag of ours."""
        if isinstance(data, list):
            return [self.bring_up_all(each, line) for each in data]
        if not isinstance(data, dict):
            return data
        fields = {key: self.bring_up_all(value, line) for key, value in data.items()}
        return self.upcast(fields, line)

    def upcast(self, fields: Fields, line: int = 0) -> Fields:
        """The fields in the newest version of their type. What is not of ours stays as it is.

        >>> upcasters.upcast({"type": "gold", "seat": 1})
        {'type': 'gold', 'seat': 1}
        """
        tag = fields.get("type", self.document)
        name, version = (isinstance(tag, str) and split_tag(tag)) or ("", 0)
        newest = self.newest.get(name, 0)
        if newest and version > newest:
            raise NewerEvent(str(tag), newest, line=line)
        if not newest and self.document:
            raise msgspec.ValidationError(f"Invalid value {tag!r} - at `$.type`")
        if version >= newest:
            return fields
        for step in self.steps[name][version - 1 :]:
            try:
                fields = step(dict(fields))
            except (LookupError, TypeError, AttributeError, ValueError):
                raise msgspec.ValidationError(f"Object is no valid `{tag}`") from None
        return {**fields, "type": _tagged(name, newest)}


def _tagged(name: str, version: int) -> str:
    return name if version == 1 else f"{name}@{version}"


STEPS: Steps = {}
"""Of the released event types. So far every type is in its first version."""

upcasters: Upcasters[AnyEvent] = Upcasters(AnyEvent, STEPS)
