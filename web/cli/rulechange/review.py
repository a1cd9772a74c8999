"""`lacitta review-rules`: judge what a change of the rules does, one cause at a time."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from events.errors import BadLog
from events.messages.sentence import Sentence
from replays.corpus.games import CORPUS
from replays.files.rulesets import is_ruleset, load_ruleset
from replays.rulechange.review.causes import describe
from replays.rulechange.review.decisions import (
    FILE,
    Decision,
    Verdict,
    latest,
    load_decisions,
    quote,
    whoever_decides,
)
from replays.rulechange.review.naming import headline
from replays.rulechange.review.renewal import Project, Signature, find_project
from replays.rulechange.review.settling import Settlement, settle, tell_settlement, title, today
from replays.rulechange.review.sources import (
    Progress,
    Review,
    nobody_looks,
    review_revision,
    review_rulesets,
    review_stored,
)
from replays.rulechange.revision.checkout import HERE, working_code
from replays.rulechange.verify import find_logs
from web.cli.language import gettext as _
from web.cli.language import language, spoken, tell
from web.cli.terminal.progress import bar
from web.rulechange.session import ReviewSession, ReviewTask

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
    page: bool = False


def review_rules(corpus: Path | None, wanted: Wanted) -> int:
    """Show every cause and take the decisions. 0 when nothing is left to decide, 1 otherwise."""
    run_the_code_that_lies_here()
    project = find_project(corpus, Path.cwd())
    corpus = corpus or (project.corpus if project else CORPUS)
    by = wanted.by or whoever_decides(corpus)
    file = (
        wanted.decisions
        or (project or Project(corpus, corpus, corpus / "__snapshots__")).chronicles / FILE
    )
    known = latest(load_decisions(file))

    def store(review: Review, verdicts: dict[str, Verdict], by: str, why: str) -> Settlement:
        signature = Signature(title(review), by, today(), why)
        return settle(review, verdicts, file, project, signature)

    if wanted.page:
        if wanted.accept or wanted.reject or wanted.json:
            raise click.UsageError(_("--page is for judging by hand, without --accept and --json"))
        folder = corpus
        task = ReviewTask(
            gather=lambda moved: gather(folder, project, wanted, moved),
            settle=store,
            known=known,
            by=by,
            why=wanted.why,
        )
        return print_settlement(review_on_page(task))
    with bar(_("Folding"), len(find_logs(corpus))) as moved:
        review = gather(corpus, project, wanted, lambda done, _total: moved(done))
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
    return print_settlement(store(review, verdicts, by, why))


def review_on_page(task: ReviewTask) -> Settlement:
    """The same on a page of one's own machine, until the review is over."""
    # Nobody who judges elsewhere should wait until a server is loaded.
    from web.rulechange.server import serve_review

    session = ReviewSession(task)
    serve_review(
        session, language(), lambda address: tell(_("Judge it here: {address}"), address=address)
    )
    if session.error is not None:
        raise session.error
    assert session.settlement is not None
    return session.settlement


def print_settlement(found: Settlement) -> int:
    """Print what came of a review. 0 when nothing is left to decide, 1 otherwise."""
    for line in tell_settlement(found, spoken()):
        click.echo(line)
    if found.problem is not None:
        raise found.problem
    return 1 if found.left else 0


def gather(
    corpus: Path, project: Project | None, wanted: Wanted, moved: Progress = nobody_looks
) -> Review:
    """Everything that differs, from whichever source was named."""
    against = wanted.against
    if against is not None and not is_ruleset(against):
        if wanted.ruleset is not None:
            raise click.UsageError(_("name a ruleset or a revision, not both"))
        return review_revision(corpus, against, Path.cwd(), moved)
    if wanted.ruleset is not None:
        before = load_ruleset(against) if against is not None else None
        return review_rulesets(corpus, load_ruleset(wanted.ruleset), before, moved)
    chronicles = project.chronicles if project else corpus / "__snapshots__"
    if not chronicles.is_dir():
        raise BadLog(
            Sentence(
                "{corpus}: no chronicles are stored for these games;"
                " name a --ruleset, or a revision with --against",
                corpus=corpus,
            )
        )
    return review_stored(corpus, chronicles, moved)


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
        click.echo(headline(group, spoken()))
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
