"""`lacitta ruleset`: what choices there are, what some of them change, and how games would go."""

from __future__ import annotations

from pathlib import Path

import click

from engine.material import library
from engine.material.choices import CHOICES, RULES, differing, value_text
from events.material import Ruleset
from replays.corpus.games import CORPUS, logs_in
from replays.files.rulesets import FORMATS, write_ruleset
from replays.rulechange.tally import tally
from replays.rulechange.verify import Task, verify_corpus
from web.cli.language import gettext as _
from web.rules.choices import allowed


def list_choices() -> None:
    """Every choice with what it may be and what it is in the rulebooks."""
    usual = library.ruleset()
    wide = max(map(len, CHOICES))
    for choice in CHOICES:
        value = value_text(usual, choice)
        click.echo(f"{choice:{wide}}  {value:18}  {allowed(choice)}  ({', '.join(RULES[choice])})")


def explain(rules: Ruleset) -> None:
    """What a ruleset does otherwise than the standard one."""
    usual = library.ruleset()
    changed = differing(usual, rules)
    click.echo(
        _("{name}: choices that differ from the standard rules: {count}").format(
            name=rules.name, count=len(changed)
        )
    )
    for choice in changed:
        before, after = value_text(usual, choice, rules), value_text(rules, choice, usual)
        click.echo(f"  {choice} ({', '.join(RULES[choice])}): {before} → {after}")


def try_out(rules: Ruleset, jobs: int) -> None:
    """What the recorded games would be under a ruleset, in one line for each cause."""
    found = tally(verify_corpus(logs_in(CORPUS), Task(after=rules, before=library.ruleset()), jobs))
    click.echo(
        _(
            "{games} recorded games: {same} the same, {other} with another table,"
            " {illegal} in which an action is no longer legal"
        ).format(
            games=found.games,
            same=found.kinds["same"],
            other=found.kinds["outcome"],
            illegal=found.kinds["illegal"],
        )
    )
    for choice, count in sorted(found.choices.items(), key=lambda entry: (-entry[1], entry[0])):
        click.echo(f"  {choice}: {count}")


def write(rules: Ruleset, out: Path) -> None:
    """A file of house rules that names only what differs."""
    out.write_bytes(write_ruleset(rules, FORMATS.get(out.suffix.lower(), "toml")))
