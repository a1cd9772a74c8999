"""The Merkle tree: the roots of RFC 6962, and paths that prove what they should and no more."""

from __future__ import annotations

from hashlib import sha256

import pytest

from events.merkle import Tree, verify_consistency, verify_inclusion

LEAVES = [b"%d" % n for n in range(33)]
TREE = Tree(LEAVES)

# The tree of the certificate transparency log's own tests.
KNOWN = [
    bytes.fromhex(leaf)
    for leaf in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = {
    0: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    1: "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    2: "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    3: "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    5: "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    8: "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
}


def root(leaves: list[bytes]) -> bytes:
    """As the RFC says it."""
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return sha256(b"\x00" + leaves[0]).digest()
    half = 1
    while 2 * half < len(leaves):
        half *= 2
    return sha256(b"\x01" + root(leaves[:half]) + root(leaves[half:])).digest()


def test_roots_are_those_of_other_logs() -> None:
    tree = Tree(KNOWN)
    assert {size: tree.root(size).hex() for size in ROOTS} == ROOTS


@pytest.mark.parametrize("size", range(len(LEAVES) + 1))
def test_roots_and_proofs_of_every_size(size: int) -> None:
    whole = TREE.root(size)
    assert whole == root(LEAVES[:size])
    for index in range(size):
        path = TREE.inclusion(index, size)
        for other in range(-1, size + 1):
            holds = verify_inclusion(LEAVES[index], other, size, path, whole)
            assert holds == (other == index)
        assert not verify_inclusion(b"another", index, size, path, whole)
        for wrong in ([*path, whole], path[:-1]):
            assert verify_inclusion(LEAVES[index], index, size, wrong, whole) == (wrong == path)
    for before in range(size + 1):
        path, then = TREE.consistency(before, size), TREE.root(before)
        assert verify_consistency(before, then, size, whole, path)
        assert not verify_consistency(before, then, size, whole, [*path, whole])
        if before:
            assert not verify_consistency(before, b"x" * 32, size, whole, path)
            assert not verify_consistency(before, then, size, b"x" * 32, path)
    assert not verify_consistency(size + 1, whole, size, whole, [])
