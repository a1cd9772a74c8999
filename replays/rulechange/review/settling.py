"""The end of a review: decisions are written down, and what was accepted is stored."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import msgspec

from projections.words.effects import ENGLISH, Translator
from replays.rulechange.review.causes import CauseGroup
from replays.rulechange.review.decisions import Decision, Verdict, decide, quote, write_decisions
from replays.rulechange.review.renewal import NotRenewed, Project, Signature, renew, run_renewals
from replays.rulechange.review.sources import Review


class Settlement(msgspec.Struct, frozen=True):
    """What came of a review."""

    games: int
    """How many were looked at."""
    differing: bool
    decisions: list[Decision] = []
    file: Path | None = None
    """Where they are written down."""
    renewed: list[str] | None = None
    """Files of the corpus that were written; None where nothing could be."""
    commands: list[str] = []
    """What was run to renew what a project makes from the rules."""
    left: int = 0
    """Causes that are not accepted."""
    problem: NotRenewed | None = None


def settle(
    review: Review,
    verdicts: dict[str, Verdict],
    file: Path,
    project: Project | None,
    signature: Signature,
) -> Settlement:
    """Write the decisions down, and store what was accepted."""
    groups = [group for group in review.groups if group.cause.key in verdicts]
    signed = (signature.change, signature.by, signature.when, signature.why)
    made = [decide(verdicts[group.cause.key], group, *signed) for group in groups]
    if made:
        write_decisions(file, made)
    accepted = [group for group in groups if verdicts[group.cause.key] == "accept"]
    left = [group for group in review.groups if group not in accepted]
    found = Settlement(
        games=review.games,
        differing=bool(review.groups),
        decisions=made,
        file=file if made else None,
        left=len(left),
    )
    if accepted and review.renewable and project is not None:
        return _store(found, project, accepted, signature)
    return found


def _store(
    found: Settlement, project: Project, accepted: list[CauseGroup], signature: Signature
) -> Settlement:
    """Renew what the accepted causes touch; what is made from all games, once none is left."""
    changes = [change for group in accepted for change in group.games]
    found = msgspec.structs.replace(found, renewed=renew(project, changes, signature))
    if found.left or not project.renew:
        return found
    try:
        run_renewals(project)
    except NotRenewed as problem:
        return msgspec.structs.replace(found, problem=problem)
    return msgspec.structs.replace(found, commands=project.renew)


def tell_settlement(found: Settlement, translator: Translator = ENGLISH) -> list[str]:
    """What was written, a line each.

    >>> tell_settlement(Settlement(63, differing=False))
    ['63 games, and nothing differs.']
    """
    say = translator.gettext
    lines = [quote(decision) for decision in found.decisions]
    if found.file is not None:
        lines.append(say("Written down in {file}.").format(file=found.file))
    if found.renewed is not None:
        files = ", ".join(found.renewed) or "–"
        lines.append(say("Renewed: {files}.").format(files=files))
        if found.left:
            lines.append(say("Tables and counts stay as they are until every cause is accepted."))
    lines += [say("Renewed by python {words}.").format(words=words) for words in found.commands]
    if not found.differing:
        lines.append(say("{games} games, and nothing differs.").format(games=found.games))
    return lines


def title(review: Review) -> str:
    return f"{review.before} → {review.after}"


def today() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%d")
