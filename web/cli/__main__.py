"""`python -m web.cli`: the command without an installed script."""

from web.cli.main import main

main()
