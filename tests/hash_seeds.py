"""The same program in processes whose hashes differ."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence


def print_under_seeds(program: str, seeds: Sequence[str] = ("0", "4242")) -> list[str]:
    """What a program prints, once for each seed of Python's hashes."""
    return [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in seeds
    ]
