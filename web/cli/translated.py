"""Commands whose help is translated where it is shown, and types that are called by their names."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Iterator
from typing import Any, Self

import click

from web.cli.language import gettext


def paragraphs(help_: str | None) -> str:
    """A help text as it is translated: each paragraph in one line, a blank line between two.

    >>> paragraphs('''Let bots
    ...     play.
    ...
    ...     Again.''')
    'Let bots play.\\n\\nAgain.'
    """
    parts = inspect.cleandoc(help_ or "").split("\n\n")
    return "\n\n".join(" ".join(part.split()) for part in parts)


class Formatter(click.HelpFormatter):
    """Sets the colon behind a heading as the language does."""

    def write_heading(self, heading: str) -> None:
        line = gettext("{label}:").format(label=heading)
        self.write(f"{'':>{self.current_indent}}{line}\n")


class Context(click.Context):
    formatter_class = Formatter


class Command(click.Command):
    """A command that tells what it does in the language that is spoken now."""

    context_class = Context

    def in_words(self) -> Self:
        """The same command with its texts translated."""
        other = copy.copy(self)
        other.help = gettext(paragraphs(self.help)) if self.help else self.help
        other.params = [_in_words(param) for param in self.params]
        other.options_metavar = gettext("[OPTIONS]")
        # Made anew, for click keeps the one that it has made in the language of that moment.
        other._help_option = None
        if isinstance(other, click.Group):
            other.subcommand_metavar = gettext("COMMAND [ARGS]...")
        return other

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super(Command, self.in_words()).format_help(ctx, formatter)

    def get_short_help_str(self, limit: int = 45) -> str:
        return super(Command, self.in_words()).get_short_help_str(limit)


class Group(Command, click.Group):
    """A group of such commands."""

    command_class = Command


def _in_words(param: click.Parameter) -> click.Parameter:
    other = copy.copy(param)
    if isinstance(other, click.Option):
        if other.help:
            other.help = gettext(paragraphs(other.help))
        # A choice shows its values; whatever else takes a value shows what kind of thing it is.
        if other.metavar is None and not isinstance(other.type, click.Choice) and not other.is_flag:
            other.metavar = gettext(other.type.name).upper()
    return other


class Named(click.ParamType):  # type: ignore[type-arg]
    """A type whose complaints call it by its translated name."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        other = copy.copy(self)
        other.name = gettext(self.name)
        return super(Named, other).convert(value, param, ctx)


class Place(Named, click.Path):
    """A path."""


class Whole(Named, click.IntRange):
    """A whole number within bounds."""


def texts(command: click.Command) -> Iterator[str]:
    """Every text in the help of a command and of those within it, for the catalogues."""
    if command.help:
        yield paragraphs(command.help)
    for param in command.params:
        if isinstance(param, click.Option) and param.help:
            yield paragraphs(param.help)
        if not isinstance(param.type, click.Choice | click.types.BoolParamType):
            yield param.type.name
    if isinstance(command, click.Group):
        for name in sorted(command.commands):
            yield from texts(command.commands[name])
