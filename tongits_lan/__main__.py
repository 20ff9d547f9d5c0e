"""`python -m tongits_lan`: the same program as the `tongits` script; knows only where it starts."""

import sys

from tongits_lan.cli.main import main


def run() -> int:
    """The program; a checkout run by a Python without the libraries says so instead of a traceback."""
    try:
        return main()
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("tongits_lan"):
            raise
        from tongits_lan.cli.output import complain

        complain(
            f"This Python ({sys.executable}) does not have {error.name}, which tongits needs: run "
            "'make play' in the checkout, or 'pip install .' in a virtual environment and then tongits."
        )
        return 1


if __name__ == "__main__":
    sys.exit(run())
