"""What the parts of a game are called, in every language."""

from __future__ import annotations

from projections.words.names import marked

PHASES = {
    "opened": marked("Set-up"),
    "castles": marked("Placing castles"),
    "bury": marked("Before the first round"),
    "politics": marked("Political rounds"),
    "relocation": marked("Relocation"),
    "people": marked("Demolition and feeding"),
    "over": marked("The game is over"),
}
