"""The command `lacitta`: the way in for people. What goes wrong is told in one line.

A command loads what it needs when it runs: no other one has to wait for it.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from engine.errors import BadMaterial, CannotFold
from events.errors import EventError
from replays.lab.errors import LabError
from web.cli.lab import commands as lab
from web.cli.language import OPTION, describe_error, speaking, wanted
from web.cli.material import commands as material
from web.cli.rulechange import commands as rulechange
from web.cli.serving import commands as serving
from web.cli.serving import hosting
from web.cli.store import commands as store
from web.cli.terminal import commands as terminal
from web.cli.translated import Group
from web.words.catalogues import LANGUAGES

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


for room in (lab, material, rulechange, serving, hosting, store, terminal):
    for command in room.COMMANDS:
        main.add_command(command)


if __name__ == "__main__":
    main()
