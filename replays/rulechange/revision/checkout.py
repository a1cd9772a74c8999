"""Where code lies: the checkout around a folder, a revision of it unpacked, a released wheel."""

from __future__ import annotations

import io
import subprocess
import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import engine
from events.errors import EventError
from events.messages.sentence import Sentence

HERE = Path(engine.__file__).parents[1]
"""The code that runs now."""
PACKAGES = ("events", "engine")
"""What folds a log: a folder that has both is a checkout of this project."""
WHEEL = ".whl"


class NoRevision(EventError):
    """A revision that cannot be compared with. Says why."""


def git(*words: str, folder: Path) -> bytes:
    """What git says, or NoRevision."""
    try:
        done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, check=False)
    except FileNotFoundError:
        raise NoRevision(
            Sentence("git is not installed, so no revision can be compared with")
        ) from None
    if done.returncode:
        raise NoRevision(done.stderr.decode(errors="replace").strip() or Sentence("git refused"))
    return done.stdout


def find_revision(name: str, folder: Path) -> tuple[Path, str]:
    """The top folder of the repository around a folder, and the commit that a name stands for."""
    try:
        top = Path(git("rev-parse", "--show-toplevel", folder=folder).decode().strip())
    except NoRevision:
        raise NoRevision(
            Sentence(
                "{name} is no ruleset, and no revision either: {folder} is in no git repository",
                name=name,
                folder=folder,
            )
        ) from None
    try:
        found = git(
            *("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"),
            folder=top,
        )
    except NoRevision:
        raise NoRevision(
            Sentence("there is no ruleset and no git revision named {name}", name=name)
        ) from None
    return top, found.decode().strip()


def repository_of(folder: Path) -> Path:
    """The top of the repository around a folder; the folder itself where there is none."""
    try:
        return Path(git("rev-parse", "--show-toplevel", folder=folder).decode().strip())
    except NoRevision:
        return folder


def working_code(folder: Path) -> Path:
    """The code that a revision is compared with: the checkout around a folder as it lies there.

    Edits that are not committed count, whatever is installed. Elsewhere it is the code that runs.
    """
    top = repository_of(folder)
    return top if is_code(top) else HERE


def is_code(folder: Path) -> bool:
    """Whether a folder has the packages that fold a log."""
    return all((folder / package).is_dir() for package in PACKAGES)


def unpack_wheel(wheel: Path, target: Path) -> None:
    """The packages of a released version, put into a folder."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            inside = [name for name in archive.namelist() if name.split("/")[0] in PACKAGES]
            archive.extractall(target, inside)
    except zipfile.BadZipFile:
        raise NoRevision(Sentence("{wheel} is no wheel", wheel=wheel)) from None


def file_at(name: str, file: Path) -> bytes:
    """A file of the repository around it, as a revision has it."""
    top, commit = find_revision(name, file.resolve().parent)
    return git("show", f"{commit}:{file.resolve().relative_to(top).as_posix()}", folder=top)


def unpack(name: str, source: Path, target: Path, packages: Sequence[str] = PACKAGES) -> None:
    """The packages of a revision of the repository around a folder, put into another folder."""
    top, commit = find_revision(name, source)
    try:
        packed = git("archive", "--format=tar", commit, *packages, folder=top)
    except NoRevision:
        raise NoRevision(
            Sentence(
                "revision {name} has no packages {packages}: too old to compare with",
                name=name,
                packages=", ".join(packages),
            )
        ) from None
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(target, filter="data")


@contextmanager
def unpacked(name: str, source: Path, packages: Sequence[str] = PACKAGES) -> Iterator[Path]:
    """A folder with the packages of a revision, as long as it is needed."""
    with TemporaryDirectory() as place:
        unpack(name, source, Path(place), packages)
        yield Path(place)
