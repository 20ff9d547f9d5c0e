"""Where the program starts: finds the command, and turns every way to end into an exit code and one sentence.

Imports the command it needs and nothing else. No traceback reaches the user: it goes to the log file.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Protocol, cast

from tongits_lan import __version__
from tongits_lan.errors import Exit, UserError

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

MODULES = {
    "home": "home",
    "play": "play",
    "host": "play",
    "join": "play",
    "tables": "tables",
    "doctor": "doctor",
    "verify": "verify",
    "show": "show",
    "replay": "watch",
    "history": "history",
    "rules": "rules",
    "demo": "demo",
    "bench": "bench",
    "completion": "completion",
}
INTERRUPTED = 130


class Command(Protocol):
    """A module that does one command."""

    def run(self, options: Namespace) -> int:
        """Does the command; returns its exit code or raises UserError."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command line; returns the exit code (errors.Exit, or 128 and the number of a signal)."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words == ["--version"]:
        sys.stdout.write(f"tongits {__version__}\n")
        return Exit.DONE
    from tongits_lan.cli import arguments as command_line
    from tongits_lan.cli import output

    output.prepare()
    _speak(command_line.glance(words))
    try:
        options = command_line.parse(words)
        if options.version:
            return _version(options)
        if options.command is None:
            options.command = "home"
            from tongits_lan.cli.home import may_ask

            if not may_ask(options):
                command_line.build_parser().print_help()
                return Exit.DONE
        code = _command(options)
        sys.stdout.flush()
    except UserError as error:
        from tongits_lan.console.speech import told

        output.complain(told(error.text))
        return int(error.exit_code)
    except SystemExit as ended:  # argparse, after its help or its one sentence
        return int(ended.code or 0)
    except KeyboardInterrupt:
        from tongits_lan.console.speech import tr

        output.complain(tr("Stopped."))
        return INTERRUPTED
    except BrokenPipeError:
        output.drop_stdout()
        return Exit.FAILED
    return code


def _speak(options: Namespace) -> None:
    """From here on in the language of the player, in which a wrong line is refused, too."""
    from tongits_lan.cli import preferences

    language = preferences.language(options)
    if language != "en":
        from tongits_lan.console.speech import speak

        speak(language)


def _version(options: Namespace) -> int:
    from tongits_lan.cli import output, places

    output.say(f"tongits {__version__}")
    if options.verbose:
        from tongits_lan.console.speech import tr

        output.say(tr("log file: {path}", path=places.log_path(options)))
        output.say(tr("data: {path}", path=places.data_dir(options)))
        output.say(f"python: {sys.executable}")
    return Exit.DONE


def _command(options: Namespace) -> int:
    import importlib

    try:
        command = cast("Command", importlib.import_module(f"tongits_lan.cli.{MODULES[options.command]}"))
        return int(command.run(options))
    except (UserError, KeyboardInterrupt, BrokenPipeError):
        raise
    except Exception as error:
        raise _unexpected(options, error) from None


def _unexpected(options: Namespace, error: Exception) -> UserError:
    """A bug of ours: the traceback goes to the log, the user gets one sentence."""
    import logging

    from tongits_lan.cli import logfile, places
    from tongits_lan.game.sentences import phrase

    path = places.log_path(options) if logfile.log_running() else logfile.start_log(options)
    logging.getLogger("tongits_lan.cli").critical(
        "unexpected %s in '%s'", type(error).__name__, options.command, exc_info=error
    )
    where = phrase("no log could be written")
    if path is not None:
        where = phrase("what happened is in {path}", path=path)
    return UserError(
        phrase(
            "Something went wrong inside the program ({name}): {where}.",
            name=type(error).__name__,
            where=where,
        ),
        Exit.FAILED,
    )
