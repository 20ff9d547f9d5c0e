"""`tongits completion SHELL`: what bash, zsh and fish need to complete the command line.

Made from the command line itself (grammar.py); the rule sets are offered where one is asked for.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator

from tongits_lan.cli.grammar import Command, Option, command_line
from tongits_lan.cli.output import say
from tongits_lan.errors import Exit
from tongits_lan.game.rules import PRESETS


def run(options: Namespace) -> int:
    """Prints the script of a shell."""
    say("\n".join(SCRIPTS[options.shell]()))
    return Exit.DONE


# --- bash -----------------------------------------------------------------------------------------------


def bash() -> Iterator[str]:
    """One function; files are completed wherever a value is no word of the command line."""
    program, *commands = command_line()
    yield "# bash completion of tongits; put it into ~/.local/share/bash-completion/completions/tongits"
    yield "_tongits() {"
    yield '    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command="" at'
    yield "    for ((at = 1; at < COMP_CWORD; at++)); do"
    yield "        case ${COMP_WORDS[at]} in"
    yield f"            {'|'.join(c.name for c in commands)}) command=${{COMP_WORDS[at]}}; break ;;"
    yield "        esac"
    yield "    done"
    yield "    case $before in"
    for names, answer in _bash_values((program, *commands)):
        yield f"        {names}) {answer}; return ;;"
    yield "    esac"
    yield "    if [[ $word == -* ]]; then"
    yield "        case $command in"
    for command in (*commands, program):
        names = " ".join(_names(command))
        yield f"            {command.name or '*'}) COMPREPLY=($(compgen -W '{names}' -- \"$word\")) ;;"
    yield "        esac"
    yield "        return"
    yield "    fi"
    yield "    case $command in"
    yield f"        '') COMPREPLY=($(compgen -W '{' '.join(c.name for c in commands)}' -- \"$word\")) ;;"
    for command in commands:
        if command.positional:
            yield f"        {command.name}) {_bash_answer(command.positional[0])} ;;"
    yield "    esac"
    yield "}"
    yield "complete -F _tongits tongits"


def _bash_values(commands: tuple[Command, ...]) -> Iterator[tuple[str, str]]:
    """Every option that takes a value, once, and how the value is completed."""
    found: dict[tuple[str, ...], Option] = {}
    for command in commands:
        for option in command.named:
            if option.value:
                found.setdefault(option.names, option)
    for names, option in found.items():
        yield "|".join(names), _bash_answer(option)


def _bash_answer(option: Option) -> str:
    words = f"-W '{' '.join(option.completions)}' " if option.completions else ""
    kind = {"file": "-f ", "folder": "-d ", "rules": "-f "}.get(option.value, "")
    return f'COMPREPLY=($(compgen {words}{kind}-- "$word"))' if words or kind else "COMPREPLY=()"


def _names(command: Command) -> list[str]:
    return [name for option in command.named for name in option.names]


# --- zsh ------------------------------------------------------------------------------------------------


def zsh() -> Iterator[str]:
    """One `_arguments` for each command."""
    program, *commands = command_line()
    yield "#compdef tongits"
    yield "# zsh completion of tongits; put it as _tongits into a folder of $fpath"
    yield f"_tongits_rules() {{ _alternative 'sets:rule set:({' '.join(PRESETS)})' 'files:file:_files' }}"
    yield "_tongits() {"
    yield "    local line state"
    yield f"    _arguments -C {' '.join(_zsh_options(program))} '1: :->command' '*:: :->rest'"
    yield "    case $state in"
    yield "        command)"
    yield "            local -a commands"
    listed = " ".join(_quoted(f"{c.name}:{c.help}") for c in commands)
    yield f"            commands=({listed})"
    yield "            _describe command commands ;;"
    yield "        rest)"
    yield "            case $line[1] in"
    for command in commands:
        told = [*_zsh_options(command), *_zsh_positional(command)]
        yield f"                {command.name}) _arguments {' '.join(told)} ;;"
    yield "            esac ;;"
    yield "    esac"
    yield "}"
    yield '_tongits "$@"'


def _zsh_options(command: Command) -> list[str]:
    told = []
    for option in command.named:
        about = option.help.replace("[", "(").replace("]", ")").replace(":", "\\:")
        for name in option.names:
            values = option.metavar.split() if option.value else []
            told.append(_quoted(f"{name}[{about}]" + "".join(f":{v}:{_zsh_value(option)}" for v in values)))
    return told


def _zsh_positional(command: Command) -> list[str]:
    if not command.positional:
        return []
    option = command.positional[0]
    many = "*" if option.count == "+" else "1"
    return [_quoted(f"{many}:{option.metavar.replace(':', '')}:{_zsh_value(option)}")]


def _zsh_value(option: Option) -> str:
    match option.value:
        case "file":
            return "_files"
        case "folder":
            return "_files -/"
        case "rules":
            return "_tongits_rules"
        case _:
            return f"({' '.join(option.completions)})" if option.completions else " "


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


# --- fish -----------------------------------------------------------------------------------------------


def fish() -> Iterator[str]:
    """One `complete` for each command and each option."""
    program, *commands = command_line()
    yield "# fish completion of tongits; put it into ~/.config/fish/completions/tongits.fish"
    yield "complete -c tongits -f"
    for command in commands:
        about = _quoted_fish(command.help)
        yield f"complete -c tongits -n __fish_use_subcommand -a {command.name} -d {about}"
    yield from _fish_options(program, "__fish_use_subcommand")
    for command in commands:
        when = f"'__fish_seen_subcommand_from {command.name}'"
        yield from _fish_options(command, when)
        for option in command.positional:
            yield f"complete -c tongits -n {when} {_fish_value(option)}"


def _fish_options(command: Command, when: str) -> Iterator[str]:
    for option in command.named:
        names = " ".join(f"-l {n[2:]}" if n.startswith("--") else f"-s {n[1:]}" for n in option.names)
        value = f" -r {_fish_value(option)}" if option.value else ""
        yield f"complete -c tongits -n {when} {names} -d {_quoted_fish(option.help)}{value}"


def _fish_value(option: Option) -> str:
    words = f" -a {_quoted_fish(' '.join(option.completions))}" if option.completions else ""
    return ("-F" if option.value in ("file", "folder", "rules") else "-f") + words


def _quoted_fish(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


SCRIPTS = {"bash": bash, "zsh": zsh, "fish": fish}
