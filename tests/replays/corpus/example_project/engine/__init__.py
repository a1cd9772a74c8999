"""The club's own engine, of the kind with steam."""


def pressure() -> int:
    return 12
