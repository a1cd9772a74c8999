"""`lacitta review-rules`: judge what a change of the rules does, one cause at a time."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import msgspec

from events.errors import BadLog
from events.messages.sentence import Sentence
from replays.corpus.games import CORPUS
from replays.files.rulesets import is_ruleset, load_ruleset
from replays.rulechange.review.causes import CauseGroup, describe, headline
from replays.rulechange.review.decisions import (
    FILE,
    Decision,
    Verdict,
    decide,
    latest,
    load_decisions,
    quote,
    whoever_decides,
    write_decisions,
)
from replays.rulechange.review.renewal import (
    Project,
    Signature,
    find_project,
    renew,
    run_renewals,
)
from replays.rulechange.review.sources import (
    Review,
    review_revision,
    review_rulesets,
    review_stored,
)
from replays.rulechange.revision import HERE, working_code
from web.cli.language import gettext as _
from web.cli.language import tell

ALL = "all"
MOVED = "LACITTA_RUNS_CHECKOUT"
"""Set where a command was started again with the code of the checkout."""


class Wanted(msgspec.Struct, frozen=True):
    """What was asked for on the command line."""

    ruleset: str | None
    against: str | None
    accept: list[str]
    reject: list[str]
    why: str
    by: str
    decisions: Path | None
    json: bool


def review_rules(corpus: Path | None, wanted: Wanted) -> int:
    """Show every cause and take the decisions. 0 when nothing is left to decide, 1 otherwise."""
    run_the_code_that_lies_here()
    project = find_project(corpus, Path.cwd())
    corpus = corpus or (project.corpus if project else CORPUS)
    review = gather(corpus, project, wanted)
    file = (
        wanted.decisions
        or (project or Project(corpus, corpus, corpus / "__snapshots__")).chronicles / FILE
    )
    known = latest(load_decisions(file))
    if wanted.json:
        data = msgspec.json.encode(as_data(review, known))
        sys.stdout.buffer.write(msgspec.json.format(data, indent=1) + b"\n")
        return 1 if review.groups else 0
    verdicts = named_verdicts(review, wanted)
    why = wanted.why
    if review.groups and not (wanted.accept or wanted.reject):
        if sys.stdin.isatty() and sys.stdout.isatty():
            # Nobody who looks at no screen should wait until it is loaded.
            from web.cli.terminal.review import judge

            verdicts = judge(review, known)
            if verdicts and not why:
                why = click.prompt(_("Why?"))
        else:
            print_review(review, known)
    elif verdicts and not why:
        raise click.UsageError(_("--accept and --reject need --why"))
    by = wanted.by or whoever_decides(corpus)
    return settle(review, verdicts, file, project, Signature(title(review), by, today(), why))


def gather(corpus: Path, project: Project | None, wanted: Wanted) -> Review:
    """Everything that differs, from whichever source was named."""
    against = wanted.against
    if against is not None and not is_ruleset(against):
        if wanted.ruleset is not None:
            raise click.UsageError(_("name a ruleset or a revision, not both"))
        return review_revision(corpus, against, Path.cwd())
    if wanted.ruleset is not None:
        before = load_ruleset(against) if against is not None else None
        return review_rulesets(corpus, load_ruleset(wanted.ruleset), before)
    chronicles = project.chronicles if project else corpus / "__snapshots__"
    if not chronicles.is_dir():
        raise BadLog(
            Sentence(
                "{corpus}: no chronicles are stored for these games;"
                " name a --ruleset, or a revision with --against",
                corpus=corpus,
            )
        )
    return review_stored(corpus, chronicles)


def settle(
    review: Review,
    verdicts: dict[str, Verdict],
    file: Path,
    project: Project | None,
    signature: Signature,
) -> int:
    """Write the decisions down, and store what was accepted."""
    groups = [group for group in review.groups if group.cause.key in verdicts]
    made = [
        decide(
            verdicts[group.cause.key],
            group,
            signature.change,
            signature.by,
            signature.when,
            signature.why,
        )
        for group in groups
    ]
    if made:
        write_decisions(file, made)
        for decision in made:
            click.echo(quote(decision))
        tell(_("Written down in {file}."), file=file)
    accepted = [group for group in groups if verdicts[group.cause.key] == "accept"]
    left = [group for group in review.groups if group not in accepted]
    if accepted and review.renewable and project is not None:
        store(project, accepted, left, signature)
    if not review.groups:
        tell(_("{games} games, and nothing differs."), games=review.games)
    return 1 if left else 0


def store(
    project: Project, accepted: list[CauseGroup], left: list[CauseGroup], signature: Signature
) -> None:
    """Renew what the accepted causes touch; what is made from all games, once none is left."""
    changes = [change for group in accepted for change in group.games]
    written = renew(project, changes, signature)
    tell(_("Renewed: {files}."), files=", ".join(written) or "–")
    if left:
        tell(_("Tables and counts stay as they are until every cause is accepted."))
    elif project.renew:
        run_renewals(project)
        for words in project.renew:
            tell(_("Renewed by python {words}."), words=words)


def named_verdicts(review: Review, wanted: Wanted) -> dict[str, Verdict]:
    """The causes that were named on the command line, or all; of a kind, by rule or by effect."""
    found: dict[str, Verdict] = {}
    verdicts: tuple[tuple[Verdict, list[str]], ...] = (
        ("accept", wanted.accept),
        ("reject", wanted.reject),
    )
    for verdict, names in verdicts:
        for name in names:
            causes = [group.cause for group in review.groups]
            keys = [
                cause.key for cause in causes if name in (ALL, cause.key, cause.kind, cause.rule)
            ]
            if not keys:
                raise click.UsageError(_("there is no cause {name} here").format(name=name))
            found |= dict.fromkeys(keys, verdict)
    return found


def print_review(review: Review, known: dict[str, Decision]) -> None:
    """Everything at once, where there is no terminal to step through it."""
    for group in review.groups:
        click.echo(headline(group))
        if (decision := known.get(group.cause.key)) is not None:
            click.echo(quote(decision))
        click.echo("\n".join(describe(group.example)))
        click.echo("")


def as_data(review: Review, known: dict[str, Decision]) -> dict[str, Any]:
    """The same for programs."""
    return {
        "compared": {"before": review.before, "after": review.after},
        "games": review.games,
        "causes": [
            {
                "key": group.cause.key,
                **msgspec.to_builtins(group.cause),
                "games": [each.game for each in group.games],
                "other_winners": group.other_winners,
                "example": {
                    "game": group.example.game,
                    **msgspec.to_builtins(group.example.change),
                    "diff": group.example.diff,
                },
                "decision": msgspec.to_builtins(known.get(group.cause.key)),
            }
            for group in review.groups
        ],
    }


def title(review: Review) -> str:
    return f"{review.before} → {review.after}"


def today() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%d")


def run_the_code_that_lies_here() -> None:
    """In a checkout its own code is judged, whatever is installed; say so where it is another."""
    code = working_code(Path.cwd())
    if code.resolve() == HERE.resolve() or os.environ.get(MOVED):
        return
    tell(_("This runs the code of {folder}."), folder=code)
    sys.stdout.flush()
    environment = {**os.environ, MOVED: "1", "PYTHONPATH": str(code)}
    os.execve(sys.executable, [sys.executable, "-m", "web.cli", *_words()], environment)


def _words() -> Sequence[str]:
    return sys.argv[1:]
