"""The command `lacitta`: the way in for people. What goes wrong is told in one line.

A command loads what it needs when it runs: no other one has to wait for it.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NoReturn

import click

from engine.bots import BOTS
from engine.errors import BadMaterial, CannotFold
from engine.material import library
from events.errors import EventError
from projections.words.names import marked
from replays.files.material import load_board, load_box
from replays.files.rulesets import load_ruleset
from replays.lab.errors import LabError
from web.cli import hosting
from web.cli.lab.multiple import (
    BOARD,
    BOT,
    BOX,
    CLUSTER,
    JOBS,
    PLAYERS,
    RESULTS,
    RULESET,
    SEED,
    SETUP,
)
from web.cli.language import OPTION, describe_error, language, speaking, wanted
from web.cli.language import gettext as _
from web.cli.options import DB
from web.cli.translated import Group, Place, Whole
from web.words.catalogues import LANGUAGES

if TYPE_CHECKING:
    from replays.lab.matrix import Setup

Problem = (BadMaterial, CannotFold, EventError, LabError, OSError)
"""What a person can cause: told in one line."""


class Lacitta(Group):
    """Tells every error that a person can cause in one line, with exit code 2."""

    def main(self, args: Sequence[str] | None = None, *more: Any, **kwargs: Any) -> NoReturn:
        words = sys.argv[1:] if args is None else list(args)
        with speaking(wanted(words, os.environ)):
            self._main(words, *more, **(kwargs | {"standalone_mode": False}))

    def _main(self, *args: Any, **kwargs: Any) -> NoReturn:
        try:
            code = super().main(*args, **kwargs)
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.format_message(), err=True)
            sys.exit(2)
        except click.ClickException as error:
            _fail(error.format_message())
        except Problem as error:
            _fail(describe_error(error))
        except click.Abort:
            sys.exit(130)
        sys.exit(code if isinstance(code, int) else 0)


def _fail(message: str) -> NoReturn:
    # In one line, but a blank that must not break is part of a sentence.
    line = re.sub(r"[ \t\r\n]+", " ", message)
    click.echo(f"lacitta: {line}", err=True)
    sys.exit(2)


@click.group(cls=Lacitta, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="lacitta")
@click.option(OPTION, "own", type=click.Choice(LANGUAGES), help="The language to speak here.")
def main(own: str | None) -> None:
    """La Città on your own machine: play, replay, and try other rules."""


FILE = Place(dir_okay=False, path_type=Path)
OFFERED = ("log", "text", "html", "svg", "png", "study")
"""What `export` makes of a game."""
RULES = "A preset, a file of house rules, or a mix: flush+growth=2."
TWO_MOMENTS = marked("--at and --year name two moments; give one of them")


@main.command()
@click.option("--games", default=1, show_default=True, type=Whole(1, 1_000_000))
@PLAYERS
@SEED
@RULESET
@SETUP
@BOARD
@BOX
@BOT
@click.option("--out", type=Place(file_okay=False, path_type=Path), help="Where to write the logs.")
@RESULTS
@JOBS
@CLUSTER
def simulate(
    games: int,
    players: list[int],
    seeds: list[int],
    rulesets: list[str],
    setups: list[Setup],
    board: str | None,
    box: str | None,
    bots: list[str],
    out: Path | None,
    results: Path | None,
    jobs: int | None,
    cluster: str | None,
) -> None:
    """Let bots play whole games: logs with --out, what came out of them with --results.

    Options that take several values, by repeating them or with commas between, are combined
    each with each. Stopped, the same command with the same --results goes on.
    """
    from replays.lab.matrix import matrix
    from replays.lab.runner import Run
    from web.cli.lab import simulate as simulating

    own = load_board(board) if board else None, load_box(box) if box else None
    cells = matrix(map(load_ruleset, rulesets), bots, players, setups, seeds, *own)
    order = Run(cells, games, jobs=jobs or 0, cluster=cluster or "", out=out)
    simulating.simulate(order, results)


@main.command()
@click.argument("ruleset")
@click.option("--against", default=library.DEFAULT_RULESET, show_default=True)
@click.option("--games", default=200, show_default=True, type=Whole(2, 1_000_000))
@PLAYERS
@BOT
@SETUP
@BOARD
@BOX
@SEED
@click.option("--html", type=FILE, help="Write a page with charts.")
@click.option("--json", type=FILE, help="Write all figures.")
@RESULTS
@JOBS
@CLUSTER
def balance(
    ruleset: str,
    against: str,
    games: int,
    players: list[int],
    bots: list[str],
    setups: list[Setup],
    board: str | None,
    box: str | None,
    seeds: list[int],
    html: Path | None,
    json: Path | None,
    results: Path | None,
    jobs: int | None,
    cluster: str | None,
) -> None:
    """What does RULESET do? Bots play it and another one on the same deals."""
    from replays.lab.matrix import matrix
    from replays.lab.runner import Run
    from web.cli.lab import balance as balancing

    own = load_board(board) if board else None, load_box(box) if box else None
    cells = matrix([load_ruleset(ruleset)], bots, players, setups, seeds, *own)
    order = Run(cells, games, jobs=jobs or 0, cluster=cluster or "")
    balancing.balance(order, load_ruleset(against), results, html, json)


@main.command()
@click.option("--bots", required=True, help=f"Names with commas between: {', '.join(BOTS)}.")
@click.option("--games", default=100, show_default=True, type=Whole(1, 1_000_000))
@click.option("--players", type=Whole(2, 5), help="Seats; as many as bots without.")
@click.option("--seed", default=1, show_default=True, type=Whole())
@click.option("--jobs", default=1, show_default=True, type=Whole(1, 64), help="Processes.")
@click.option("--ruleset", default=library.DEFAULT_RULESET, show_default=True, help=RULES)
@click.option(
    "--setup", default="beginner", show_default=True, type=click.Choice(["beginner", "expert"])
)
@BOARD
@BOX
def arena(
    bots: str,
    games: int,
    players: int | None,
    seed: int,
    jobs: int,
    ruleset: str,
    setup: Literal["beginner", "expert"],
    board: str | None,
    box: str | None,
) -> None:
    """Let bots play against each other with seats rotated: how strong is each?"""
    from web.cli.lab import arena as contending

    names = [name.strip() for name in bots.split(",")]
    own = load_board(board) if board else None, load_box(box) if box else None
    contending.arena(names, games, players, seed, jobs, load_ruleset(ruleset), setup, *own)


@main.command()
@click.argument("file", type=Place(exists=True, dir_okay=False, path_type=Path))
@click.option("--at", type=Whole(1), help="After so many events.")
@click.option("--year", type=Whole(1, 9), help="At the end of this year.")
@click.option("--format", "as_", type=click.Choice(["text", "json"]), help="How to print it.")
@click.option("--ruleset", help="Under other rules: a preset, a file or a mix. A bot fills gaps.")
def replay(
    file: Path, at: int | None, year: int | None, as_: str | None, ruleset: str | None
) -> None:
    """Step through a recorded game by the arrow keys, or print it: at its end, after an event, or
    at a year's end."""
    from web.cli import replay as replaying

    if at is not None and year is not None:
        raise click.UsageError(_(TWO_MOMENTS))
    rules = load_ruleset(ruleset) if ruleset else None
    if (at, year, as_, rules) == (None,) * 4 and replaying.at_a_terminal():
        from web.cli.terminal import step as stepping

        stepping.step_through(file)
    else:
        sys.stdout.write(replaying.replay(file, at, year, as_ or "text", rules))


@main.command()
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
@click.option("--html", type=Place(dir_okay=False, path_type=Path), help="Write a page.")
@click.option("--json", type=Place(dir_okay=False, path_type=Path), help="Write data.")
@click.option("--viewer", default="", help="The address of a server that has the games, for links.")
@click.option("--summary", type=FILE, help="Write what is printed here, too.")
@click.option(
    "--cache",
    type=Place(file_okay=False, path_type=Path),
    envvar="LACITTA_CACHE",
    help="Where results are kept for the next time; in your cache folder without.",
)
@click.option("--no-cache", is_flag=True, help="Fold everything again, and keep nothing.")
def verify(corpus: Path, cache: Path | None, no_cache: bool, **wanted: Any) -> int:
    """Fold every recorded game of CORPUS under other rules: which change, where, and who wins?

    Exit code 0: nothing changed, 1: something did, 2: an error.
    """
    from web.cli import verify as verifying

    viewer = wanted["viewer"]
    if viewer and not viewer.startswith(("http://", "https://")):
        raise click.UsageError(_("--viewer has to be an address with http:// or https://"))
    kept = None if no_cache else cache or verifying.cache_folder()
    return verifying.verify(corpus, verifying.Wanted(**wanted, cache=kept))


@main.command("review-rules")
@click.argument("corpus", required=False, type=Place(exists=True, path_type=Path))
@click.option("--ruleset", help="A preset, a file or a mix of choices to be judged.")
@click.option("--against", help="Compare with this ruleset, or with the code of a git revision.")
@click.option("--accept", multiple=True, help="A cause, a rule, or `all`; needs no terminal.")
@click.option("--reject", multiple=True, help="A cause, a rule, or `all`; needs no terminal.")
@click.option("--why", default="", help="The reason, which is written down.")
@click.option("--by", default="", help="Who decides; whoever git knows here without.")
@click.option("--decisions", type=FILE, help="Where decisions are written down.")
@click.option("--json", is_flag=True, help="Print every cause for programs.")
def review_rules(corpus: Path | None, **wanted: Any) -> int:
    """Judge what a change of the rules does to the recorded games of CORPUS, one cause at a time.

    Without --ruleset and --against the stored chronicles are compared with the code as it is; what
    is accepted is stored. Exit code 0: nothing is left to decide, 1: something is, 2: an error.
    """
    from web.cli import review as reviewing

    named = {name: list(wanted[name]) for name in ("accept", "reject")}
    return reviewing.review_rules(corpus, reviewing.Wanted(**(wanted | named)))


@main.command()
@click.argument("rules", required=False, default="")
@click.option("--try", "try_", is_flag=True, help="Try it on the recorded games at once.")
@click.option("--out", type=Place(dir_okay=False, path_type=Path), help="Write it (.toml, .json).")
@click.option("--jobs", default=0, type=Whole(0, 256), help="Processes, 0 for all cores.")
def ruleset(rules: str, try_: bool, out: Path | None, jobs: int) -> None:
    """Check and explain RULES: a preset, a file, or a mix such as flush+growth=2. Without, list
    every choice there is.

    Several numbers have slashes between them, figure_prices=0/1/3, and a building follows after a
    dot, card_cost.palace=2.
    """
    from web.cli import ruleset as explaining

    if not rules:
        explaining.list_choices()
        return
    found = load_ruleset(rules)
    explaining.explain(found)
    if try_:
        explaining.try_out(found, jobs)
    if out is not None:
        explaining.write(found, out)


@main.command()
@click.argument("file", required=False, default="")
@click.option("--box", default=library.DEFAULT_BOX, show_default=True, help="Played with this box.")
@click.option("--players", type=Whole(2, 5), default=4, show_default=True, help="To draw it for.")
@click.option("--svg", type=FILE, help="Draw it as a picture.")
@click.option("--out", type=FILE, help="Write it as a file to change.")
def board(file: str, box: str, players: int, svg: Path | None, out: Path | None) -> None:
    """Check a board of one's own, hex by hex, and draw it. Without FILE, the built-in one."""
    from web.cli import material

    material.show_board(file or library.DEFAULT_BOARD, box, players, svg, out)


@main.command()
@click.argument("file", required=False, default="")
@click.option("--out", type=FILE, help="Write it as a file to change.")
def box(file: str, out: Path | None) -> None:
    """Check a box of one's own, count by count. Without FILE, the built-in one."""
    from web.cli import material

    material.show_box(file or library.DEFAULT_BOX, out)


@main.command()
@click.option("--host", help="127.0.0.1 without; 0.0.0.0 lets others in.")
@click.option("--port", type=Whole(0, 65535), help="8000 without.")
@click.option("--db", help="A SQLite file, or postgresql://…; lacitta.db without.")
@click.option("--workers", type=Whole(1, 64), help="Server processes at this address; 1 without.")
@click.option(
    "--settings",
    type=Place(exists=True, dir_okay=False, path_type=Path),
    help="A TOML file: mail, proxy and more. LACITTA_… variables and options win over it.",
)
@click.option("--replica", help="A folder, or s3://…: a copy of the SQLite file is kept there.")
@click.option("--ruleset", help="Of new tables: a preset, a file or a mix; standard without.")
def serve(settings: Path | None, **options: Any) -> None:
    """Play in the browser: serve the games of a store."""
    from web.cli.serving import serve as serving
    from web.settings import load

    wanted = load(settings, os.environ, {"server": options})
    load_ruleset(wanted.server.ruleset)  # What cannot be played is told before anyone comes.
    serving.serve(wanted)


@main.command()
@click.argument("game", required=False)
@DB
@click.option("--head", help="A head that was shown once; it must occur in the game's log.")
@click.option("--checkpoint", type=FILE, help="Of this store: nothing may be gone since.")
@click.option("--proof", type=FILE, help="Made by `checkpoint`; it must hold for --checkpoint.")
@click.option(
    "--amendments",
    type=Place(exists=True, file_okay=False, path_type=Path),
    help="A folder of amendments, signed after a correction of the rules.",
)
def check(
    game: str | None,
    db: str,
    head: str | None,
    checkpoint: Path | None,
    proof: Path | None,
    amendments: Path | None,
) -> int:
    """Walk stored games: hashes, rules, digests, shuffles. Names the first record that is wrong,
    and with --checkpoint all that is gone or altered since."""
    if head is not None and game is None:
        raise click.UsageError(_("--head goes with one GAME"))
    if proof is not None and checkpoint is None:
        raise click.UsageError(_("--proof goes with --checkpoint"))
    from web.cli import stores as storing

    if proof is not None and checkpoint is not None:
        return storing.check_proof(proof, checkpoint)
    if game is not None:
        storing.check_one(db, game, head, amendments)
        return 0
    return storing.check(db, checkpoint, amendments)


@main.command()
@click.option("--game", help="Prove that this game is in --checkpoint.")
@click.option("--checkpoint", "published", type=FILE, help="Prove that the store goes on from it.")
@click.option("--names", is_flag=True, help="Also what it stands for: not to be published.")
@click.option("--out", type=FILE, help="Where to write it; standard output without.")
@DB
def checkpoint(db: str, **wanted: Any) -> None:
    """Write a few lines that stand for the whole store, to be published and compared later."""
    if wanted["game"] and wanted["published"] is None:
        raise click.UsageError(_("--game goes with --checkpoint"))
    from web.cli import stores as storing

    storing.checkpoint(db, **wanted)


@main.command()
@DB
def rebuild(db: str) -> None:
    """Make scoreboards, histories, stories and records anew from the log."""
    from web.cli import stores as storing

    storing.rebuild(db)


@main.command()
@click.argument("file", type=FILE)
@DB
def backup(file: Path, db: str) -> None:
    """Copy a store into FILE while games go on."""
    from web.cli import stores as storing

    storing.backup(db, file)


@main.command()
@click.argument("file", required=False, type=FILE)
@click.option("--from", "replica", help="A folder, or s3://…, where `serve --replica` keeps one.")
@click.option("--at", help="Restore what the replica had then: 2026-03-01T18:30, in UTC.")
@click.option("--checkpoint", type=FILE, help="Of the lost store: name what the replica lacks.")
@DB
def restore(
    file: Path | None, replica: str | None, at: str | None, checkpoint: Path | None, db: str
) -> int:
    """Fill an empty store from the backup FILE, or from a replica with --from.

    Exit code 0: all is there, 1: not all of --checkpoint, 2: an error."""
    from web.cli import stores as storing

    if (file is None) == (replica is None):
        raise click.UsageError(_("restore from a FILE, or --from a replica"))
    if replica is not None:
        from web.cli import restoring

        return restoring.restore_replica(db, replica, at, checkpoint)
    if file is None or at is not None or checkpoint is not None:
        raise click.UsageError(_("--at and --checkpoint go with --from"))
    storing.restore_backup(db, file)
    return 0


@main.command()
@click.argument("game")
@click.option("--as", "as_", default="log", show_default=True, type=click.Choice(OFFERED))
@click.option("--at", type=Whole(1), help="A picture of the table after so many events.")
@click.option("--year", type=Whole(1, 9), help="A picture of the end of this year.")
@click.option("--out", type=FILE, help="Where to write it; standard output without.")
@click.option(
    "--language",
    type=click.Choice(LANGUAGES),
    help="Of the page or the picture; the one spoken here without.",
)
@click.option("--dark", is_flag=True, help="A picture by lamplight.")
@click.option("--width", default=1200, show_default=True, type=Whole(200, 5000))
@click.option("--notes", type=FILE, help="Notes from a file, not the store.")
@DB
def export(game: str, as_: str, out: Path | None, db: str, **wish: object) -> None:
    """Write GAME, a stored game or a file: as a log, as notation (text), as a page that steps by
    itself (html), or as a picture (svg, png). Pages and pictures show what a spectator sees; log
    and notation tell everything. With --as study, GAME is a study's id."""
    if wish["at"] is not None and wish["year"] is not None:
        raise click.UsageError(_(TWO_MOMENTS))
    from web.cli import export as sharing

    sharing.export(db, game, as_, out, {**wish, "language": wish["language"] or language()})


@main.command("import")
@click.argument("files", nargs=-1, required=True, type=FILE)
@DB
def import_(files: tuple[Path, ...], db: str) -> None:
    """Store games (logs, notation) and studies from FILES, each proved to hold first."""
    from web.cli import stores as storing

    storing.import_(db, files)


FOLDER = Place(file_okay=False, path_type=Path)


@main.command()
@click.argument("folder", required=False, type=FOLDER)
@click.option("--json", "as_json", is_flag=True, help="The whole table for programs.")
def corpus(folder: Path | None, as_json: bool) -> int:
    """Tell which rules the recorded games of FOLDER exercise; of the built-in ones without."""
    from web.cli import corpus as recording

    return recording.corpus(folder, as_json)


@main.command()
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
    from web.cli import case as casing

    if game.endswith(casing.SUFFIX):
        return casing.run(Path(game), renew)
    casing.make(db, game, out, casing.Wish(**wish))
    return 0


@main.command()
@click.argument("game")
@click.option("--out", default=".", show_default=True, type=FOLDER, help="Where to write it.")
@click.option("--name", default="", help="What to call it; made up without.")
@DB
def record(game: str, out: Path, name: str, db: str) -> None:
    """Turn a stored game that is over into a recorded one, with every name removed."""
    from web.cli import corpus as recording

    recording.record(db, game, out, name)


for command in (hosting.host, hosting.invite, hosting.audit):
    main.add_command(command)


if __name__ == "__main__":
    main()
