"""`python -m tongits_lan`: the same program as the `tongits` script; knows only where it starts."""

import sys

from tongits_lan.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
