"""Accepting renews what a change touches, and nothing else; logs keep their bytes."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from engine.errors import CannotFold
from events.codec import load_game
from events.errors import BadLog
from replays.amendments import (
    Amendment,
    amend,
    amendment_of,
    as_signed,
    beside,
    load_amendments,
    sign,
)
from replays.corpus.games import CORPUS, check_attempts, load_attempts
from replays.files.proof import prove
from replays.rulechange.review.causes import GameChange
from replays.rulechange.review.decisions import (
    Decision,
    latest,
    load_decisions,
    new_decisions,
    write_decisions,
)
from replays.rulechange.review.renewal import (
    NotRenewed,
    Project,
    Signature,
    find_project,
    renew,
    run_renewals,
)
from replays.rulechange.review.sources import review_stored
from replays.rulechange.verify import Task, verify_log
from tests.replays.rulechange.review.making import GAMES, forge_digest, make_project

SIGNED = Signature("before → now", "Anna", "2026-11-18", "A slip is mended.")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    found = find_project(None, make_project(tmp_path))
    assert found is not None
    return found


def changes_of(project: Project) -> list[GameChange]:
    review = review_stored(project.corpus, project.chronicles)
    return [change for group in review.groups for change in group.games]


def bytes_in(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_the_settings_of_the_plugin_are_found(project: Project) -> None:
    assert (project.corpus.name, project.chronicles.name) == ("games", "told")
    assert find_project(project.corpus, Path("/")) == project
    assert find_project(CORPUS, Path("/")) is not None  # of this repository
    assert find_project(project.top, project.top) is None


def test_what_is_accepted_is_stored_and_nothing_else(project: Project) -> None:
    logs, told = bytes_in(project.corpus), bytes_in(project.chronicles)
    changes = changes_of(project)
    assert {change.game for change in changes} == set(GAMES)
    assert renew(project, changes[:1], SIGNED) == [f"{changes[0].game}.txt"]
    after = bytes_in(project.chronicles)
    assert [name for name in told if told[name] != after[name]] == [f"{changes[0].game}.txt"]
    assert {change.game for change in changes_of(project)} == set(GAMES) - {changes[0].game}
    renew(project, changes, SIGNED)
    assert changes_of(project) == []
    assert bytes_in(project.corpus) == logs


def test_digests_are_answered_by_an_amendment_beside_the_log(project: Project) -> None:
    renew(project, changes_of(project), SIGNED)
    log = project.corpus / "german.jsonl"
    data = forge_digest(log)
    events = load_game(log).events
    with pytest.raises(CannotFold, match="digest"):
        prove(events)
    (change,) = changes_of(project)
    assert change.cause.key == "R42 / a digest that nobody signed / the end of a year"
    assert renew(project, [change], SIGNED) == ["german.amendment.json"]
    signed = amendment_of(log)
    assert signed is not None
    assert (signed.by, signed.why, list(signed.digests)) == ("Anna", "A slip is mended.", [6])
    assert prove(events, signed).amended == signed
    assert log.read_bytes() == data
    assert changes_of(project) == []
    assert prove(as_signed(events, signed)).over
    # Whoever compares recorded games knows it, too.
    assert verify_log(log, Task()).kind == "same"
    assert verify_log(log, Task(after=events[0].ruleset)).kind == "same"  # type: ignore[union-attr]
    # Another table than the signed one is found.
    wrong = msgspec.structs.replace(signed, digests={6: "1" * 64})
    with pytest.raises(CannotFold, match="digest"):
        prove(events, wrong)


def test_an_action_that_is_no_longer_legal_ends_a_signed_game(tmp_path: Path) -> None:
    events = load_game(CORPUS / "two-experts.jsonl").events
    twice = [*events[:9], events[8], *events[9:]]
    signed = amend(twice, "a change", "Anna", "2026-11-18", "so that it ends")
    assert signed is not None
    assert signed.ends == 10
    proof = prove(twice, signed)
    assert (proof.events, proof.over) == (9, False)
    with pytest.raises(CannotFold):
        prove(twice, msgspec.structs.replace(signed, ends=11))


def test_amendments_are_added_and_never_lost(tmp_path: Path) -> None:
    log = tmp_path / "g1.jsonl"
    one = Amendment("one", "Anna", "2026-11-18", "first", {6: "1" * 64})
    two = Amendment("two", "Bob", "2026-11-19", "second", {6: "2" * 64})
    assert sign(log, "g1", one)
    assert not sign(log, "g1", msgspec.structs.replace(one, by="Eve"))
    assert sign(log, "g1", two)
    assert not sign(log, "g1", None)
    assert load_amendments(beside(log)) == [one, two]
    assert amendment_of(log) == two
    beside(log).write_text("{}")
    with pytest.raises(BadLog, match=r"g1\.amendment\.json: "):
        amendment_of(log)


def test_refusals_get_the_reason_of_now(project: Project) -> None:
    renew(project, changes_of(project), SIGNED)
    at_these = [attempt for attempt in load_attempts(CORPUS) if attempt.game in GAMES]
    wrong = msgspec.structs.replace(at_these[0], reason="game-over", params={})
    events = load_game(project.corpus / f"{wrong.game}.jsonl").events
    allowed = msgspec.structs.replace(wrong, event=events[wrong.after])
    lines = [msgspec.json.encode(each) + b"\n" for each in (wrong, *at_these[1:], allowed)]
    (project.corpus / "refused.jsonl").write_bytes(b"".join(lines))
    changes = changes_of(project)
    effects = sorted(change.cause.effect for change in changes)
    assert effects == [
        "allowed, was refused as game-over",
        f"refused as {at_these[0].reason}, was refused as game-over",
    ]
    assert renew(project, changes, SIGNED) == ["refused.jsonl"]
    assert load_attempts(project.corpus) == at_these
    for game in GAMES:
        events = load_game(project.corpus / f"{game}.jsonl").events
        check_attempts(events, [attempt for attempt in at_these if attempt.game == game])


def test_the_recorded_refusals_are_written_as_they_were(project: Project) -> None:
    """Renewing one line leaves the bytes of the others alone."""
    recorded = (CORPUS / "refused.jsonl").read_bytes()
    again = b"".join(msgspec.json.encode(each) + b"\n" for each in load_attempts(CORPUS))
    assert again == recorded


def test_what_a_project_makes_itself_is_made_anew(project: Project) -> None:
    run_renewals(project)
    assert (project.top / "renewed").exists()
    broken = msgspec.structs.replace(project, renew=["-c 1/0", *project.renew])
    (project.top / "renewed").unlink()
    with pytest.raises(NotRenewed, match=r"python -c 1/0 .*ZeroDivisionError"):
        run_renewals(broken)
    assert (project.top / "renewed").exists()


def test_decisions_are_kept_in_order(tmp_path: Path) -> None:
    file = tmp_path / "new" / "decisions.jsonl"
    no = Decision("reject", "R15 / growth", "a → b", 3, 1, "Anna", "2026-11-18", "A mistake.")
    yes = msgspec.structs.replace(no, verdict="accept", why="It was meant after all.")
    assert load_decisions(file) == []
    write_decisions(file, [no])
    write_decisions(file, [yes])
    assert load_decisions(file) == [no, yes]
    assert latest(load_decisions(file)) == {"R15 / growth": yes}
    assert new_decisions(file) == [no, yes]
    file.write_text("nonsense\n")
    with pytest.raises(BadLog, match=r"decisions\.jsonl"):
        load_decisions(file)
