"""The example project is a repository of its own: its tests are not ours."""

collect_ignore = ["example_project"]
