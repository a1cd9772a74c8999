"""Claims as locks on single bytes of a file beside the database, which end with their process."""

from __future__ import annotations

import hashlib
import os
import sys
import threading
from pathlib import Path

from events.store.errors import StoreReadOnly

if sys.platform == "win32":
    import msvcrt

    def _lock(file: int, place: int, take: bool) -> None:
        os.lseek(file, place, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK if take else msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _lock(file: int, place: int, take: bool) -> None:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB if take else fcntl.LOCK_UN, 1, place)


_lock_files: dict[tuple[int, Path], _LockFile] = {}
"""By process and path: closing a file ends all locks that a process has on it."""
_lock_of_files = threading.Lock()


class _LockFile:
    """The file of one path in this process, and whose each locked byte is."""

    def __init__(self, path: Path) -> None:
        self.file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        self.owners: dict[int, FileClaims] = {}
        self.users: set[FileClaims] = set()


class FileClaims:
    """See Claims. The system knows locks by process, so who has which within one is noted here."""

    def __init__(self, path: Path) -> None:
        self._path = path.absolute().with_name(f"{path.name}-claims")
        self._place_of_database = str(path)

    def take(self, name: str) -> bool:
        with _lock_of_files:
            held, place = self._file(), _byte_of(name)
            owner = held.owners.get(place)
            if owner is not None:
                return owner is self
            try:
                _lock(held.file, place, True)
            except OSError:
                return False
            held.owners[place] = self
            return True

    def release(self, name: str) -> None:
        with _lock_of_files:
            held = _lock_files.get((os.getpid(), self._path))
            if held is not None:
                self._release(held, _byte_of(name))

    def close(self) -> None:
        with _lock_of_files:
            held = _lock_files.get((os.getpid(), self._path))
            if held is None or self not in held.users:
                return
            for place in [place for place, owner in held.owners.items() if owner is self]:
                self._release(held, place)
            held.users.discard(self)
            if not held.users:
                os.close(held.file)
                del _lock_files[os.getpid(), self._path]

    def _release(self, held: _LockFile, place: int) -> None:
        if held.owners.get(place) is self:
            del held.owners[place]
            _lock(held.file, place, False)

    def _file(self) -> _LockFile:
        key = os.getpid(), self._path
        if key not in _lock_files:
            try:
                _lock_files[key] = _LockFile(self._path)
            except OSError:
                raise StoreReadOnly(self._place_of_database) from None
        _lock_files[key].users.add(self)
        return _lock_files[key]


def _byte_of(name: str) -> int:
    """Which byte of the file stands for a name; the file need not be as long."""
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=5).digest(), "big")
