"""What click itself says where our commands are used: its texts, for the catalogues.

Click looks them up in the catalogue that `web.cli.language` binds. Left out is what none of our
commands can bring about: prompts, editors, deprecated commands, types that we do not use, and
mistakes of whoever writes a command.
"""

from __future__ import annotations

SINGLE = (
    "Commands",
    "Missing argument",
    "Missing command.",
    "Missing option",
    "No such command {name!r}.",
    "No such option {name!r}.",
    "Option {name!r} does not take a value.",
    "Options",
    "Invalid value for {param_hint}: {message}",
    "Show the version and exit.",
    "Show this message and exit.",
    "Usage:",
    "%(prog)s, version %(version)s",
    "default: {default}",
    "directory",
    "file",
    "path",
    "required",
    "{name} {filename!r} does not exist.",
    "{name} {filename!r} is a directory.",
    "{name} {filename!r} is a file.",
    "{name} {filename!r} is not readable.",
    "{value!r} is not a valid {number_type}.",
    "{value} is not in the range {range}.",
)
FOR_NUMBERS = (
    ("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)"),
    ("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})"),
    ("Option {name!r} requires an argument.", "Option {name!r} requires {nargs} arguments."),
    ("{value!r} is not {choice}.", "{value!r} is not one of {choices}."),
)
