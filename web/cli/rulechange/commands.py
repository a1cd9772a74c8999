"""`lacitta verify`, `review-rules`, `case`, `corpus` and `record`: what they take."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from web.cli.language import gettext as _
from web.cli.options import DB, FILE, FOLDER
from web.cli.translated import Command, Place, Whole


@click.command(cls=Command)
@click.argument("corpus", type=Place(exists=True, path_type=Path))
@click.option(
    "--ruleset",
    "rulesets",
    multiple=True,
    help="A preset, a file of house rules or a mix; the games' own without. Several in one pass.",
)
@click.option("--against", help="Compare with this ruleset, or with the code of a git revision.")
@click.option(
    "--when-illegal",
    default="stop",
    show_default=True,
    type=click.Choice(["stop", "skip", "bot"]),
    help="Where a recorded action is not legal: stop, leave it out, or let a bot decide.",
)
@click.option("--jobs", default=0, type=Whole(0, 256), help="Processes, 0 for all cores.")
@click.option("--html", type=FILE, help="Write a page.")
@click.option("--json", type=FILE, help="Write data.")
@click.option("--viewer", default="", help="The address of a server that has the games, for links.")
@click.option("--summary", type=FILE, help="Write what is printed here, too.")
@click.option(
    "--cache",
    type=FOLDER,
    envvar="LACITTA_CACHE",
    help="Where results are kept for the next time; in your cache folder without.",
)
@click.option("--no-cache", is_flag=True, help="Fold everything again, and keep nothing.")
def verify(corpus: Path, cache: Path | None, no_cache: bool, **wanted: Any) -> int:
    """Fold every recorded game of CORPUS under other rules: which change, where, and who wins?

    Exit code 0: nothing changed, 1: something did, 2: an error.
    """
    from web.cli.rulechange import verify as verifying

    viewer = wanted["viewer"]
    if viewer and not viewer.startswith(("http://", "https://")):
        raise click.UsageError(_("--viewer has to be an address with http:// or https://"))
    folder = None if no_cache else cache or verifying.cache_folder()
    return verifying.verify(corpus, verifying.Wanted(**wanted, cache=folder))


@click.command("review-rules", cls=Command)
@click.argument("corpus", required=False, type=Place(exists=True, path_type=Path))
@click.option("--ruleset", help="A preset, a file or a mix of choices to be judged.")
@click.option("--against", help="Compare with this ruleset, or with the code of a git revision.")
@click.option("--accept", multiple=True, help="A cause, a rule, or `all`; needs no terminal.")
@click.option("--reject", multiple=True, help="A cause, a rule, or `all`; needs no terminal.")
@click.option("--why", default="", help="The reason, which is written down.")
@click.option("--by", default="", help="Who decides; whoever git knows here without.")
@click.option("--decisions", type=FILE, help="Where decisions are written down.")
@click.option("--json", is_flag=True, help="Print every cause for programs.")
@click.option("--page", is_flag=True, help="Judge on a page in your browser, by the same keys.")
def review_rules(corpus: Path | None, **wanted: Any) -> int:
    """Judge what a change of the rules does to the recorded games of CORPUS, one cause at a time.

    Without --ruleset and --against the stored chronicles are compared with the code as it is; what
    is accepted is stored. Exit code 0: nothing is left to decide, 1: something is, 2: an error.
    """
    from web.cli.rulechange import review as reviewing

    named = {name: list(wanted[name]) for name in ("accept", "reject")}
    return reviewing.review_rules(corpus, reviewing.Wanted(**(wanted | named)))


@click.command(cls=Command)
@click.argument("game")
@click.option("--at", type=Whole(2), help="The event to test; with --action, the last before.")
@click.option("--action", default="", help="Try this instead, as JSON: what a log would hold.")
@click.option("--seat", type=Whole(0, 5), help="Of a running game: only what this seat knows.")
@click.option("--out", type=FILE, help="Where to write it; standard output without.")
@click.option("--renew", is_flag=True, help="Write into a test what follows now.")
@DB
def case(game: str, db: str, out: Path | None, renew: bool, **wish: Any) -> int:
    """Make a moment of GAME, a stored game or a file, a test: the log up to there, what is done and
    what must follow, in a file that pytest runs. With such a file (.case.toml), run it.

    Exit code 0: it holds, 1: something else follows, 2: an error.
    """
    from web.cli.rulechange import case as casing

    if game.endswith(casing.SUFFIX):
        return casing.run(Path(game), renew)
    casing.make(db, game, out, casing.Wish(**wish))
    return 0


@click.command(cls=Command)
@click.argument("folder", required=False, type=FOLDER)
@click.option("--json", "as_json", is_flag=True, help="The whole table for programs.")
def corpus(folder: Path | None, as_json: bool) -> int:
    """Tell which rules the recorded games of FOLDER exercise; of the built-in ones without."""
    from web.cli.rulechange import corpus as recording

    return recording.corpus(folder, as_json)


@click.command(cls=Command)
@click.argument("game")
@click.option("--out", default=".", show_default=True, type=FOLDER, help="Where to write it.")
@click.option("--name", default="", help="What to call it; made up without.")
@DB
def record(game: str, out: Path, name: str, db: str) -> None:
    """Turn a stored game that is over into a recorded one, with every name removed."""
    from web.cli.rulechange import corpus as recording

    recording.record(db, game, out, name)


COMMANDS = (
    verify,
    review_rules,
    case,
    corpus,
    record,
)
