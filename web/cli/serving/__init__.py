"""Serving: the processes of `lacitta serve`."""
