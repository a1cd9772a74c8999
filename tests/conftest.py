"""The tests read English, whatever language the machine speaks that they run on."""

from __future__ import annotations

import os

os.environ["LACITTA_LANGUAGE"] = "en"
