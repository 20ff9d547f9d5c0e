"""`tongits rules`: the rule sets there are, and one of them in words or as data. Knows no table."""

from __future__ import annotations

from argparse import Namespace

from tongits_lan.cli.output import emit, say
from tongits_lan.errors import Exit, UserError
from tongits_lan.game import rules as game_rules


def preset(name: str) -> game_rules.Rules:
    """The rule set of that name; raises UserError (usage) naming those there are."""
    found = game_rules.PRESETS.get(name.lower())
    if found is None:
        known = ", ".join(game_rules.PRESETS)
        raise UserError(
            f"There is no rule set '{name}': choose one of {known} (see: tongits rules).", Exit.USAGE
        )
    return found


def run(options: Namespace) -> int:
    """Lists the rule sets, or describes one."""
    if options.preset is None:
        for name, rules in game_rules.PRESETS.items():
            if options.json:
                emit({"preset": name, "options": game_rules.to_map(rules)})
            else:
                say(f"{name:<10} {game_rules.describe(rules)[0]}")
        if not options.json:
            say("One of them in words: tongits rules PRESET")
        return Exit.DONE
    rules = preset(options.preset)
    if options.json:
        emit(
            {
                "preset": options.preset.lower(),
                "options": game_rules.to_map(rules),
                "sentences": game_rules.describe(rules),
            }
        )
        return Exit.DONE
    for sentence in game_rules.describe(rules):
        say(f"- {sentence}")
    return Exit.DONE
