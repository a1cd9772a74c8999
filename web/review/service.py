"""The reviews of all games: asked for, made step by step, stored and read.

What is asked for lies in documents, for no log can give it back. What is made lies in a read model:
it follows from the log, so it is in no backup, and what is lost is made again.
"""

from __future__ import annotations

import hmac
from collections import Counter
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import TypeVar

import msgspec

from events.store.collection import Collection
from events.store.errors import ReadModelConflict
from events.store.protocol import Store
from projections.words.names import marked
from replays.review.game import VERSION, GameReview
from web.jobs.job import Busy, Owner
from web.jobs.queue import MOST_WAITING, MOST_WAITING_EACH, Jobs
from web.review.shapes import Pass, ReviewRequest, ReviewStatus, StoredReview, Subject
from web.site.problems import Problem

REQUESTS = "review-requests"
"""The collection of documents."""
MADE = "reviews"
"""The read model."""
PER_REVIEW = 60
"""Seconds after which a full queue is worth another try, at least."""
TRIES = 50
FAILED = marked("The review could not be made.")
TOO_LONG = marked("This game takes longer to review than this server allows.")
T = TypeVar("T", StoredReview, Pass)


class Reviews:
    """Several server processes may share them."""

    def __init__(
        self, store: Store, jobs: Jobs, seconds: float, key: bytes | str, clock: Callable[[], int]
    ) -> None:
        self._store, self._jobs, self._clock = store, jobs, clock
        self._requests = Collection(store, REQUESTS, ReviewRequest)
        self.seconds = seconds
        """Processor time that a review may take; 0: none are made."""
        self._key = key.encode() if isinstance(key, str) else key

    # For requests

    def find(self, subject: Subject, last: int) -> StoredReview | None:
        """The review of a game that has so many events. Of a seat's decisions also an earlier one,
        which later events add to."""
        found = self._read(subject.key, StoredReview)
        if found is None or (found.last != last if not subject.seat else found.last > last):
            return None
        return found

    def of_game(self, game: str, last: int) -> GameReview | None:
        """The review of a whole game that is over, if there is one."""
        found = self.find(Subject(game), last)
        return found.game if found else None

    def status(self, subject: Subject, last: int) -> ReviewStatus:
        """How far the review of a game is."""
        found, current = self.find(subject, last), self.pass_of(subject)
        finer = found is not None and not subject.seat
        places = [each.key for each in self.queue()]
        if subject.key in places:
            place = places.index(subject.key)
            done = len(current.parts) if current else 0
            whole = done + len(current.left) if current else 0
            return ReviewStatus("waiting" if place else "running", place, done, whole, finer)
        if found is not None and found.finished and found.last == last:
            return ReviewStatus("done")
        if not self.seconds:
            return ReviewStatus("done" if found else "off")
        if current is not None and current.failed:
            return ReviewStatus("failed", finer=finer, sentence=current.failed)
        return ReviewStatus("none", finer=finer)

    def ask(self, subject: Subject, last: int, owner: Owner) -> None:
        """Let a review be made, unless it is there or asked for already. Busy, when too much is."""
        found = self.find(subject, last)
        if found is not None and found.finished and found.last == last:
            return
        if not self.seconds:
            raise Problem(409, "reviews-off", "This server makes no reviews.")
        owner = self._shortened(owner)

        def edit() -> dict[str, ReviewRequest | None]:
            waiting = dict(self._requests.all())
            if subject.key in waiting:
                return {}
            own = sum(each.owner == owner.name for each in waiting.values())
            wait = self._jobs.wait_for(owner)
            if wait or own >= MOST_WAITING_EACH or len(waiting) >= MOST_WAITING:
                raise Busy(wait or PER_REVIEW)
            finer = found is not None and not subject.seat
            return {subject.key: ReviewRequest(owner.name, owner.address, self._clock(), finer)}

        current = self.pass_of(subject)
        if current is not None and current.failed:
            self.save(subject, None)
        self._requests.change(edit)

    def _shortened(self, owner: Owner) -> Owner:
        """Addresses are not stored: whoever asks from the same one is told by a number."""
        digest = hmac.new(self._key, f"review/{owner.address}".encode(), sha256).hexdigest()[:24]
        return Owner(digest if owner.name == owner.address else owner.name, digest)

    # For the worker

    def queue(self) -> list[Subject]:
        """What is asked for, in the order in which it is made: those first of which there is
        nothing yet, and then everybody's first before anybody's second."""
        requests = sorted(self._requests.all(), key=lambda each: (each[1].asked, each[0]))
        nth = Counter[tuple[str, bool]]()
        ranks = []
        for key, request in requests:
            owner = request.owner, request.finer
            ranks.append((request.finer, nth[owner], request.asked, key))
            nth[owner] += 1
        return [Subject.of(rank[-1]) for rank in sorted(ranks)]

    def request(self, subject: Subject) -> ReviewRequest | None:
        return self._requests.get(subject.key)

    def pass_of(self, subject: Subject) -> Pass | None:
        """How far it is."""
        return self._read(f"{subject.key}/pass", Pass)

    def save(
        self, subject: Subject, current: Pass | None, made: StoredReview | None = None
    ) -> None:
        """How far it is from now on, and what is to be read from now on, if that is new."""
        changes = {f"{subject.key}/pass": None if current is None else msgspec.json.encode(current)}
        if made is not None:
            changes[subject.key] = msgspec.json.encode(made)
        self._write(changes)

    def end(self, subject: Subject) -> None:
        """Nobody waits for it any more."""
        self._requests.change(
            lambda: {subject.key: None} if self._requests.get(subject.key) else {}
        )

    def go_on_finer(self, subject: Subject) -> None:
        """There is something to read: it stands behind those of which there is nothing yet."""

        def edit() -> dict[str, ReviewRequest | None]:
            request = self._requests.get(subject.key)
            if request is None:
                return {}
            return {subject.key: msgspec.structs.replace(request, finer=True)}

        self._requests.change(edit)

    def _read(self, key: str, shape: type[T]) -> T | None:
        """What is stored, if it is of this version."""
        body = None if "\x00" in key else self._store.read_models.get(MADE, key)
        if body is None:
            return None
        try:
            found = msgspec.json.decode(body, type=shape)
        except msgspec.DecodeError:
            return None
        return found if found.version == VERSION else None

    def _write(self, changes: Mapping[str, bytes | None]) -> None:
        models = self._store.read_models
        for left in reversed(range(TRIES)):
            position = models.position(MADE)
            try:
                return models.save(MADE, position, max(position, self._store.position()), changes)
            except ReadModelConflict:
                if not left:
                    raise
