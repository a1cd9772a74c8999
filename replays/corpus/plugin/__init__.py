"""The pytest plugin. In the wheel its one module stands at the top, under a name of its own."""
