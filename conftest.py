"""This repository watches its recorded games by its own plugin, as it lies here."""

pytest_plugins = ["replays.corpus.plugin.lacitta_pytest"]
