"""`lacitta verify`: what another ruleset, or other code, makes of every recorded game."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import msgspec

from events.material import Ruleset
from replays.files.rulesets import is_ruleset, load_ruleset
from replays.rulechange.cache import ResultCache, cache_folder, verify_kept
from replays.rulechange.comparison import Comparison, write_data
from replays.rulechange.divergence import Finding
from replays.rulechange.refold import WhenIllegal
from replays.rulechange.review.decisions import FILE, new_decisions, quote
from replays.rulechange.review.renewal import find_project
from replays.rulechange.revision.checkout import (
    HERE,
    WHEEL,
    file_at,
    is_code,
    repository_of,
    working_code,
)
from replays.rulechange.revision.code import code_digest, other_checkout
from replays.rulechange.revision.versions import Versions, versions
from replays.rulechange.summary import Compared, markdown, plain, side_by_side
from replays.rulechange.verify import Task, find_logs, verify_rulesets
from web.cli.language import gettext as _
from web.cli.language import language, spoken
from web.cli.terminal.progress import bar

__all__ = ["Wanted", "cache_folder", "verify"]


class Wanted(msgspec.Struct, frozen=True):
    """What was asked for on the command line."""

    rulesets: tuple[str, ...]
    against: str | None
    jobs: int
    when_illegal: WhenIllegal
    html: Path | None
    json: Path | None
    viewer: str
    cache: Path | None = None
    """Where results are kept; nowhere without."""
    summary: Path | None = None


def verify(corpus: Path, wanted: Wanted) -> int:
    """Compare, write the reports and print the sum. 0 when nothing changed, 1 otherwise."""
    files = find_logs(corpus)
    _warn_of_another_checkout()
    with _prepared(wanted) as (results, how):
        _gather(results, _found(files, how, wanted), len(files))
        if wanted.html is not None:
            # Nobody who wants no page should wait until the drawings are loaded.
            from web.report.page import write_page

            ways = [how] if isinstance(how, Versions) else how
            page = write_page(results, ways, wanted.viewer, language())
            wanted.html.write_text(page, encoding="utf-8")
    if wanted.json is not None:
        with wanted.json.open("wb") as file:
            file.writelines(write_data(results))
    text = _summary(results)
    if isinstance(how, Versions):
        text += decided(corpus, how.name)
    if wanted.summary is not None:
        wanted.summary.write_text(text, encoding="utf-8")
    click.echo(text, nl=False)
    return 1 if any(each.tally.changed for each in results) else 0


def _found(
    files: list[Path], how: list[Task] | Versions, wanted: Wanted
) -> Iterator[list[Finding]]:
    """Per log a finding for each comparison."""
    if isinstance(how, Versions):
        return ([finding] for finding in how.verify(files))
    if wanted.cache is None:
        return verify_rulesets(files, how, wanted.jobs)
    caches = [ResultCache(wanted.cache, task, language()) for task in how]
    return verify_kept(files, how, wanted.jobs, caches)


def _summary(results: list[Comparison]) -> str:
    words = spoken()
    texts = [markdown(each.compared, each.tally, each.changed, words) for each in results]
    if len(results) == 1:
        return texts[0]
    table = side_by_side([(each.compared, each.tally) for each in results], words)
    return table + "\n".join(texts)


def _warn_of_another_checkout() -> None:
    """An installed copy says nothing about the rules that somebody is changing here."""
    if (other := other_checkout(Path.cwd())) is not None:
        warning = _(
            "lacitta: the code in {other} is another one, and was not asked;"
            " run it as {command} there"
        )
        click.echo(warning.format(other=other, command="python -m web.cli verify"), err=True)


def decided(corpus: Path, revision: str) -> str:
    """What was decided about these games since a revision, for whoever reads the summary."""
    project = find_project(corpus, Path.cwd())
    made = new_decisions(project.chronicles / FILE, revision) if project else []
    if not made:
        return ""
    lines = "\n".join(f"- {plain(quote(decision))}" for decision in made)
    return "\n" + _("Decided since {revision}:").format(revision=revision) + f"\n\n{lines}\n"


@contextmanager
def _prepared(wanted: Wanted) -> Iterator[tuple[list[Comparison], list[Task] | Versions]]:
    """What is compared with what, in words and ready to run."""
    afters: list[Ruleset | None] = [load_ruleset(name) for name in wanted.rulesets]
    afters = afters or [None]
    against = wanted.against
    if against is not None and not is_ruleset(against):
        if len(afters) > 1:
            raise click.UsageError(_("several rulesets are compared with one, not with a revision"))
        if (before := _earlier_rules(against, wanted)) is None:
            with versions(
                against,
                afters[0],
                wanted.jobs,
                translator=spoken(),
                when_illegal=wanted.when_illegal,
            ) as both:
                compared = _two_versions(against, afters[0])
                compared = msgspec.structs.replace(compared, when_illegal=wanted.when_illegal)
                yield [Comparison(compared)], both
            return
    else:
        before = load_ruleset(against) if against is not None else None
    own = _("as recorded")
    code = _("Judged by the code in {folder} (digest {digest}).")
    results = [
        Comparison(
            Compared(
                before=before.name if before else _("recorded digests") if after is None else own,
                after=after.name if after else _("this code") if before is None else own,
                before_rules=before,
                after_rules=after,
                when_illegal=wanted.when_illegal,
                code=code.format(folder=HERE, digest=code_digest()),
            )
        )
        for after in afters
    ]
    yield results, [Task(after, before, wanted.when_illegal, spoken()) for after in afters]


def _earlier_rules(revision: str, wanted: Wanted) -> Ruleset | None:
    """In a repository without the code, a club's own, a revision stands for the file of rules as it
    was then."""
    file = Path(wanted.rulesets[0]) if wanted.rulesets else None
    if file is None or not file.is_file() or is_code(Path(revision)) or revision.endswith(WHEEL):
        return None
    if working_code(Path.cwd()) != HERE or is_code(repository_of(Path.cwd())):
        return None
    with TemporaryDirectory() as folder:
        earlier = Path(folder) / file.name
        earlier.write_bytes(file_at(revision, file))
        rules = load_ruleset(str(earlier))
    return msgspec.structs.replace(rules, name=f"{rules.name} ({revision})")


def _two_versions(revision: str, rules: Ruleset | None) -> Compared:
    if rules is None:
        before, after = _("revision {revision}").format(revision=revision), _("this code")
    else:
        before = _("revision {revision} under {ruleset}").format(
            revision=revision, ruleset=rules.name
        )
        after = _("this code under {ruleset}").format(ruleset=rules.name)
    folder = working_code(Path.cwd())
    code = _("Judged by the code in {folder} (digest {digest}).")
    return Compared(before, after, code=code.format(folder=folder, digest=code_digest(folder)))


def _gather(results: list[Comparison], found: Iterator[list[Finding]], total: int) -> None:
    """The sum of all games, and how each ended; the most important of the changed ones first."""
    with bar(_("Verifying"), total) as moved:
        for number, findings in enumerate(found, start=1):
            for result, finding in zip(results, findings, strict=True):
                result.add(finding)
            moved(number)
