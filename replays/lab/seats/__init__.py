"""Beginner set-ups with fair seats (R8), searched for by letting bots play.

`python -m replays.lab.seats --board toscana --players 4 --out board.json` changes as little of a
board's set-ups as makes every seat win its share.
"""
