"""What is known of a player from earlier tables, in words.

Owns the wording; counts nothing.
"""

from tongits_lan.console.speech import tr, trn
from tongits_lan.store.known import Person


def say_past(person: Person) -> str:
    """Hands played together, and how often hands were given up or left."""
    parts = [trn("{count} hand with you", "{count} hands with you", person.finished)]
    if person.forfeited:
        parts.append(tr("gave up {n}", n=person.forfeited))
    if person.left:
        parts.append(tr("left {n} unfinished", n=person.left))
    if person.convicted:
        stopped = len(person.convicted)
        parts.append(trn("stopped {count} table by a fault", "stopped {count} tables by a fault", stopped))
    return ", ".join(parts)
