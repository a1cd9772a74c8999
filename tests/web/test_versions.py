"""Plans and orders have versions as events have: a sample of each, and newer ones refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from events.upcast import NewerEvent, Upcasters
from web.orders.shapes import order_upcasters
from web.plans.service import folder_upcasters

SAMPLES = Path(__file__).parent / "samples"
DOCUMENTS: dict[str, Upcasters[Any]] = {"plans": folder_upcasters, "orders": order_upcasters}


def test_every_version_of_every_document_has_a_stored_sample() -> None:
    """A sample is for ever: a failure here means that one is missing, or that one was orphaned."""
    tags = {tag for document in DOCUMENTS.values() for tag in document.tags}
    assert {path.stem for path in SAMPLES.glob("*.json")} == tags


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_sample_is_read(name: str) -> None:
    sample = (SAMPLES / f"{name}.json").read_bytes().rstrip(b"\n")
    assert msgspec.json.encode(DOCUMENTS[name].decode(sample)) == sample


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_newer_version_is_refused_by_name(name: str) -> None:
    """Its fields may have the same names: read as if it were known, it would be saved in part."""
    newer = b'{"type":"%s@2","plans":[],"standing":{}}' % name.encode()
    with pytest.raises(NewerEvent, match=f"{name}@2 is newer than version 1"):
        DOCUMENTS[name].decode(newer)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_newer_action_within_is_refused_by_name(name: str) -> None:
    sample = (SAMPLES / f"{name}.json").read_bytes()
    newer = sample.replace(b'"type":"build"', b'"type":"build@2"', 1)
    with pytest.raises(NewerEvent, match="build@2 is newer than version 1"):
        DOCUMENTS[name].decode(newer)


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("data", [b"", b"[]", b'{"type":"wonder"}', b'{"type":', b'{"type":1}'])
def test_rubbish_stays_rubbish(name: str, data: bytes) -> None:
    with pytest.raises(msgspec.MsgspecError):
        DOCUMENTS[name].decode(data)
