"""`tongits rules`: the rule sets there are, one of them in words or as data, two compared, and a template.

Owns how they are printed, and what the word after `--rules` means. Knows no table.
"""

from __future__ import annotations

import os
import textwrap
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from tongits_lan.cli.output import emit, say
from tongits_lan.console.speech import told, tr
from tongits_lan.errors import Exit, UserError
from tongits_lan.game.catalogue import CATALOGUE, ORIGINS, spelled
from tongits_lan.game.combinations import changed
from tongits_lan.game.describe import Chapter, chapters, describe, only_in, summary
from tongits_lan.game.rules import PRESETS, Rules, to_map, values_of
from tongits_lan.game.sentences import phrase
from tongits_lan.store import house_rules

FIRST = "pagat"
"""The rule set that others are compared with."""
_WIDTH = 78
_INDENT = " " * 11


def rule_set(word: str) -> Rules:
    """The rule set that a word after `--rules` names: a preset, or else a TOML file.

    Raises UserError (usage): for an unknown word it names the presets, for a file the line that is wrong."""
    found = PRESETS.get(word.lower())
    if found is not None:
        return found
    if word.lower().endswith(".toml") or os.sep in word or Path(word).is_file():
        return house_rules.load(Path(word))
    raise UserError(
        phrase(
            "There is no rule set '{word}': choose one of {presets} or name a TOML file "
            "(see: tongits rules).",
            word=word,
            presets=", ".join(PRESETS),
        ),
        Exit.USAGE,
    )


def run(options: Namespace) -> int:
    """Lists the rule sets, says one, compares two, or prints a template."""
    if options.new and options.diff:
        raise UserError("--new prints a template and --diff compares: ask for one of the two.", Exit.USAGE)
    if options.diff and options.preset is not None:
        raise UserError(
            phrase(
                "--diff compares {one} and {other} only: leave '{third}' out.",
                one=options.diff[0],
                other=options.diff[1],
                third=options.preset,
            ),
            Exit.USAGE,
        )
    if options.new:
        _new(options)
    elif options.diff:
        _diff(options)
    elif options.preset is None:
        _list(options)
    else:
        _one(options)
    return Exit.DONE


def _list(options: Namespace) -> None:
    for name, rules in PRESETS.items():
        if options.json:
            about = {"preset": name, "origin": ORIGINS[name], "summary": summary(rules)}
            emit({**about, "options": to_map(rules)})
        else:
            say(f"{name:<10} {tr(ORIGINS[name])}")
            say(
                textwrap.fill(told(summary(rules)), _WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT)
            )
    if not options.json:
        say("")
        say(tr("One of them in words: tongits rules PRESET"))
        say(tr("Two of them compared: tongits rules --diff A B"))
        say(tr("Rules of your own:    tongits rules --new > house.toml, then --rules house.toml"))


def _one(options: Namespace) -> None:
    rules = rule_set(options.preset)
    differs = changed(rules, FIRST)
    if options.json:
        emit(
            {
                "preset": options.preset.lower() if options.preset.lower() in PRESETS else options.preset,
                "options": to_map(rules),
                "differs_from_pagat": list(differs),
                "sentences": describe(rules),
                "chapters": [_as_json(chapter, differs) for chapter in chapters(rules)],
            }
        )
        return
    for line in _page(rules):
        say(line)


def _as_json(chapter: Chapter, differs: tuple[str, ...]) -> dict[str, object]:
    return {
        "title": chapter.title,
        "sentences": [
            {"text": s.text, "options": s.options, "differs": not set(s.options).isdisjoint(differs)}
            for s in chapter.sentences
        ],
    }


def _page(rules: Rules) -> Iterator[str]:
    """The rules in words; a sentence that pagat does not have is marked."""
    yield told(summary(rules))
    usual = set(describe(PRESETS[FIRST]))
    marks = 0
    for chapter in chapters(rules):
        yield ""
        yield tr(chapter.title)
        for sentence in chapter.sentences:
            mark = " " if sentence.text in usual else "*"
            marks += mark == "*"
            yield from textwrap.wrap(
                told(sentence.text), _WIDTH, initial_indent=f"  {mark} ", subsequent_indent="    "
            )
    if marks:
        yield ""
        yield tr("* not as in {preset}", preset=FIRST)


def _diff(options: Namespace) -> None:
    one, other = options.diff
    first, second = rule_set(one), rule_set(other)
    mine, theirs = to_map(first), to_map(second)
    names = [name for name in CATALOGUE if mine[name] != theirs[name]]
    if options.json:
        emit(
            {
                "diff": [one, other],
                "options": {name: [mine[name], theirs[name]] for name in names},
                "sentences": [only_in(first, second), only_in(second, first)],
            }
        )
        return
    if not names:
        say(tr("{one} and {other} are the same rules.", one=one, other=other))
        return
    for name in names:
        say(f"{name}: {spelled(mine[name])} | {spelled(theirs[name])}")
    for word, rules, against in ((one, first, second), (other, second, first)):
        say("")
        say(tr("Only in {preset}:", preset=word))
        for text in only_in(rules, against):
            say(textwrap.fill(told(text), _WIDTH, initial_indent="  - ", subsequent_indent="    "))


def _new(options: Namespace) -> None:
    name = FIRST if options.preset is None else options.preset.lower()
    if name not in PRESETS:
        raise UserError(
            phrase(
                "A template starts from one of {presets}, not from '{preset}'.",
                presets=", ".join(PRESETS),
                preset=options.preset,
            ),
            Exit.USAGE,
        )
    if not options.json:
        say(house_rules.template(name, told).rstrip("\n"))
        return
    values = to_map(PRESETS[name])
    for option, about in CATALOGUE.items():
        taken = values_of(option)
        emit(
            {
                "option": option,
                "what": about.what,
                "preset": name,
                "value": values[option],
                "from_to": [taken[0], taken[-1]] if isinstance(taken, range) else None,
                "values": [{"value": v, "what": what, "source": by} for v, what, by in about.values],
                "source": about.source or None,
            }
        )
