"""Lists of keys: who asks for what is due, or is somebody's, reads that and nothing else.

A document, or an entry of a read model, stands in any number of lists, in each at a rank. What
stands where follows from it by a definition, which has a name: lists that were made by another one
are made anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Place(NamedTuple):
    """Where something stands in a list; lists are in this order."""

    rank: int
    key: str


Lists = Mapping[str, Mapping[str, int]]
"""By key the lists that it stands in, and its rank in each."""

FIRST = Place(-(2**63), "")
LATEST = 2**63 - 1
