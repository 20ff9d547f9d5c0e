"""What is known of a player from earlier tables, in words.

Owns the wording; counts nothing.
"""

from tongits_lan.store.known import Person


def say_past(person: Person) -> str:
    """Hands played together, and how often hands were given up or left."""
    parts = [f"{_hands(person.finished)} with you"]
    if person.forfeited:
        parts.append(f"gave up {person.forfeited}")
    if person.left:
        parts.append(f"left {person.left} unfinished")
    return ", ".join(parts)


def _hands(number: int) -> str:
    return "1 hand" if number == 1 else f"{number} hands"
