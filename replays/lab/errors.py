"""What keeps the lab from its work, told to people."""

from __future__ import annotations


class LabError(ValueError):
    """A results file that cannot be used, a library that is missing, a cluster that does not play.

    The message says which in one sentence.
    """
