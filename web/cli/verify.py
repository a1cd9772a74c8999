"""`lacitta verify`: what another ruleset, or other code, makes of every recorded game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import click
import msgspec

from events.material import Ruleset
from replays.files.rulesets import is_ruleset, load_ruleset
from replays.rulechange.divergence import Finding
from replays.rulechange.refold import WhenIllegal
from replays.rulechange.revision import Versions, versions
from replays.rulechange.summary import Compared, as_data, markdown
from replays.rulechange.tally import CorpusTally
from replays.rulechange.verify import Task, find_logs, verify_corpus
from web.cli.language import gettext as _
from web.cli.language import language, spoken
from web.cli.stores import bar


class Wanted(msgspec.Struct, frozen=True):
    """What was asked for on the command line."""

    ruleset: str | None
    against: str | None
    jobs: int
    when_illegal: WhenIllegal
    html: Path | None
    json: Path | None
    viewer: str


def verify(corpus: Path, wanted: Wanted) -> int:
    """Compare, write the reports and print the sum. 0 when nothing changed, 1 otherwise."""
    files = find_logs(corpus)
    with _prepared(wanted) as (compared, how):
        findings = (
            how.verify(files)
            if isinstance(how, Versions)
            else verify_corpus(files, how, wanted.jobs)
        )
        tally, changed = _gathered(findings, len(files))
        if wanted.html is not None:
            # Nobody who wants no page should wait until the drawings are loaded.
            from web.report.page import write_page

            page = write_page(compared, tally, changed, how, wanted.viewer, language())
            wanted.html.write_text(page, encoding="utf-8")
    if wanted.json is not None:
        data = msgspec.json.encode(as_data(compared, tally, changed))
        wanted.json.write_bytes(msgspec.json.format(data, indent=1) + b"\n")
    click.echo(markdown(compared, tally, changed, spoken()), nl=False)
    return 1 if tally.changed else 0


@contextmanager
def _prepared(wanted: Wanted) -> Iterator[tuple[Compared, Task | Versions]]:
    """What is compared with what, in words and ready to run."""
    after = load_ruleset(wanted.ruleset) if wanted.ruleset is not None else None
    against = wanted.against
    if against is not None and not is_ruleset(against):
        if wanted.when_illegal != "stop":
            raise click.UsageError(_("--when-illegal goes with rulesets, not with a revision"))
        with versions(against, after, wanted.jobs, translator=spoken()) as both:
            compared = _two_versions(against, after)
            yield compared, both
        return
    before = load_ruleset(against) if against is not None else None
    own = _("as recorded")
    compared = Compared(
        before=before.name if before else _("recorded digests") if after is None else own,
        after=after.name if after else _("this code") if before is None else own,
        before_rules=before,
        after_rules=after,
        when_illegal=wanted.when_illegal,
    )
    with nullcontext(Task(after, before, wanted.when_illegal, spoken())) as task:
        yield compared, task


def _two_versions(revision: str, rules: Ruleset | None) -> Compared:
    if rules is None:
        return Compared(_("revision {revision}").format(revision=revision), _("this code"))
    return Compared(
        _("revision {revision} under {ruleset}").format(revision=revision, ruleset=rules.name),
        _("this code under {ruleset}").format(ruleset=rules.name),
    )


def _gathered(findings: Iterable[Finding], total: int) -> tuple[CorpusTally, list[Finding]]:
    """The sum of all games; only the changed ones are kept."""
    tally, changed = CorpusTally(), []
    with bar(_("Verifying"), total) as moved:
        for finding in findings:
            tally.add(finding)
            if finding.kind != "same":
                changed.append(finding)
            moved(tally.games)
    return tally, changed
