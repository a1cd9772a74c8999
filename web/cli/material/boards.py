"""`lacitta board` and `lacitta box`: check, describe and draw those of one's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click

from engine.errors import BadMaterial
from engine.material import library
from engine.material.inspection import (
    Faulty,
    board_summary,
    setup_remarks,
    write_material,
)
from engine.view import view
from projections.words.effects import retold
from replays.files.material import load_board, load_box
from web.cli.language import gettext as _
from web.cli.language import spoken, tell

T = TypeVar("T")


def show_board(word: str, box: str, players: int, svg: Path | None, out: Path | None) -> None:
    """What a board has, where its set-ups are not as the rules want them, and a picture of it."""
    ref, box_ref = _checked(load_board, word), _checked(load_box, box)
    found, cards = library.resolve_board(ref), library.resolve_box(box_ref)
    parts = board_summary(found.data)
    tell(
        _(
            "{name}: {lanes} lane hexes ({light} light, {brown} brown, {yellow} yellow),"
            " {fields} fields, {edges} edge areas"
        ),
        name=ref.name,
        **parts,
    )
    setups = ", ".join(sorted(found.data.setups)) or _("none")
    tell(_("beginner set-ups: {setups}"), setups=setups)
    for remark in setup_remarks(found, cards):
        click.echo(f"  {retold(remark, spoken())}")
    tell(_("digest {digest}"), digest=ref.digest)
    if out is not None:
        out.write_bytes(write_material(ref.content or found.data))
    if svg is not None:
        from web.drawing.picture import picture
        from web.material.preview import previewed

        state = previewed(ref, box_ref, players)
        words = spoken().gettext
        svg.write_text(picture(state.board, view(state), words=words), encoding="utf-8")


def _checked(load: Callable[[str], T], word: str) -> T:
    """What a file holds; all that is wrong with it is told, each in a line."""
    try:
        return load(word)
    except Faulty as error:
        *others, last = error.faults
        for fault in others:
            click.echo(f"lacitta: {retold(fault, spoken())}", err=True)
        raise BadMaterial(last) from None


def show_box(word: str, out: Path | None) -> None:
    """What a box holds of that which the rulebooks do not print."""
    ref = _checked(load_box, word)
    found = library.resolve_box(ref)
    for title, counts in ((_("politics cards"), found.politics), (_("tiles"), found.tiles)):
        click.echo(f"{title}: {', '.join(f'{name} {n}' for name, n in counts.items())}")
    tell(_("digest {digest}"), digest=ref.digest)
    if out is not None:
        out.write_bytes(write_material(ref.content or found))
