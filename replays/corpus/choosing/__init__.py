"""How the recorded corpus was chosen, so that it can be made again.

Bots play game after game until one shows what is wanted; what bots never do, a script puts in.
`python -m replays.corpus.choosing --out FOLDER` writes all of it.
"""
