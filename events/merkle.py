"""The Merkle tree of a log, as transparency logs have it (RFC 6962, section 2.1).

The hash of a leaf is the SHA-256 of a zero byte and the leaf, that of a node the SHA-256 of a one
byte and the hashes of its two halves. The left half is the largest power of two below the whole.
Leaves are here the hashes of a log's records, in the order of their positions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256


def leaf_hash(leaf: bytes) -> bytes:
    return sha256(b"\x00" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


class Tree:
    """A tree over all leaves that it was given, which answers for every size that it once had.

    >>> tree = Tree(b"%d" % n for n in range(7))
    >>> verify_inclusion(b"4", 4, 7, tree.inclusion(4, 7), tree.root(7))
    True
    >>> verify_consistency(3, tree.root(3), 7, tree.root(7), tree.consistency(3, 7))
    True
    """

    def __init__(self, leaves: Iterable[bytes] = ()) -> None:
        level = [leaf_hash(leaf) for leaf in leaves]
        self._levels = [level]
        """Per height the hashes of all complete subtrees of that height."""
        while len(level) > 1:
            pairs = zip(level[0::2], level[1::2], strict=False)
            level = [node_hash(left, right) for left, right in pairs]
            self._levels.append(level)

    @property
    def size(self) -> int:
        return len(self._levels[0])

    def root(self, size: int) -> bytes:
        """The root when the tree had so many leaves."""
        return self._hash(0, size) if size else sha256(b"").digest()

    def inclusion(self, index: int, size: int) -> list[bytes]:
        """The hashes that lead from a leaf, counted from 0, to the root (its audit path)."""
        return self._inclusion(index, 0, size)

    def consistency(self, before: int, size: int) -> list[bytes]:
        """The hashes that prove that the first leaves of a tree are those of an earlier one."""
        return self._consistency(before, 0, size, True) if 0 < before < size else []

    def _hash(self, start: int, end: int) -> bytes:
        width = end - start
        if width & (width - 1) == 0 and start % width == 0:
            return self._levels[width.bit_length() - 1][start // width]
        middle = start + _half(width)
        return node_hash(self._hash(start, middle), self._hash(middle, end))

    def _inclusion(self, index: int, start: int, end: int) -> list[bytes]:
        if end - start == 1:
            return []
        middle = start + _half(end - start)
        if index < middle:
            return [*self._inclusion(index, start, middle), self._hash(middle, end)]
        return [*self._inclusion(index, middle, end), self._hash(start, middle)]

    def _consistency(self, before: int, start: int, end: int, whole: bool) -> list[bytes]:
        if before == end:
            return [] if whole else [self._hash(start, end)]
        middle = start + _half(end - start)
        if before <= middle:
            return [*self._consistency(before, start, middle, whole), self._hash(middle, end)]
        return [*self._consistency(before, middle, end, False), self._hash(start, middle)]


def _half(width: int) -> int:
    """The largest power of two below a width."""
    return 1 << (width - 1).bit_length() - 1


def verify_inclusion(
    leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes
) -> bool:
    """Whether a path leads from a leaf to a root (RFC 9162, section 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    node, last, found = index, size - 1, leaf_hash(leaf)
    for other in path:
        if not last:
            return False
        if node & 1 or node == last:
            found = node_hash(other, found)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            found = node_hash(found, other)
        node, last = node >> 1, last >> 1
    return not last and found == root


def verify_consistency(
    before: int, root_before: bytes, size: int, root: bytes, path: Sequence[bytes]
) -> bool:
    """Whether a tree goes on from an earlier one (RFC 9162, section 2.1.4.2)."""
    if not 0 <= before <= size:
        return False
    if before in (0, size):
        return not path and (before == 0 or root_before == root)
    hashes = list(path) if before & (before - 1) else [root_before, *path]
    if not hashes:
        return False
    node, last = before - 1, size - 1
    while node & 1:
        node, last = node >> 1, last >> 1
    old = new = hashes[0]
    for other in hashes[1:]:
        if not last:
            return False
        if node & 1 or node == last:
            old, new = node_hash(other, old), node_hash(other, new)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            new = node_hash(new, other)
        node, last = node >> 1, last >> 1
    return not last and old == root_before and new == root
