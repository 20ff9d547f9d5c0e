"""A second decoder of the protocol's encoding, one byte after the other: an oracle for `ledger.encoding`.

Owns nothing of the program and shares no code with it. It refuses a longer form where it meets it, so it
never has to encode anything again.
"""

_STR, _BIN, _ARRAY, _MAP, _UINT, _INT = range(6)
_LONG_FORMS = {
    0xD9: (_STR, 1, 32),
    0xDA: (_STR, 2, 2**8),
    0xDB: (_STR, 4, 2**16),
    0xC4: (_BIN, 1, 0),
    0xC5: (_BIN, 2, 2**8),
    0xC6: (_BIN, 4, 2**16),
    0xDC: (_ARRAY, 2, 16),
    0xDD: (_ARRAY, 4, 2**16),
    0xDE: (_MAP, 2, 16),
    0xDF: (_MAP, 4, 2**16),
    0xCC: (_UINT, 1, 2**7),
    0xCD: (_UINT, 2, 2**8),
    0xCE: (_UINT, 4, 2**16),
    0xCF: (_UINT, 8, 2**32),
    0xD0: (_INT, 1, 2**5),
    0xD1: (_INT, 2, 2**7),
    0xD2: (_INT, 4, 2**15),
    0xD3: (_INT, 8, 2**31),
}


class Reader:
    """Reads one value from bytes; every method raises ValueError for what the protocol does not allow."""

    def __init__(self, data: bytes, *, allow_map: bool, allow_negative: bool) -> None:
        self.data = data
        self.at = 0
        self.allow_map = allow_map
        self.allow_negative = allow_negative

    def whole(self) -> object:
        """The value, if nothing follows it."""
        value = self.value(1)
        if self.at != len(self.data):
            raise ValueError("trailing bytes")
        return value

    def take(self, count: int) -> bytes:
        """The next bytes, all of them."""
        part = self.data[self.at : self.at + count]
        if len(part) < count:
            raise ValueError("cut short")
        self.at += count
        return part

    def value(self, depth: int) -> object:
        """The next value, `depth` being that of an array here."""
        first = self.take(1)[0]
        if first < 0x80:
            return first
        if first >= 0xE0:
            return self.number(first - 256)
        if first in (0xC0, 0xC2, 0xC3):
            return {0xC0: None, 0xC2: False, 0xC3: True}[first]
        if first < 0x90:
            return self.sized(_MAP, first - 0x80, depth)
        if first < 0xA0:
            return self.sized(_ARRAY, first - 0x90, depth)
        if first < 0xC0:
            return self.sized(_STR, first - 0xA0, depth)
        if first not in _LONG_FORMS:
            raise ValueError("a type that is not allowed")
        return self.long_form(*_LONG_FORMS[first], depth)

    def long_form(self, form: int, width: int, least: int, depth: int) -> object:
        """A value with a number in `width` bytes, which must need them: `least` is the first that does."""
        raw = self.take(width)
        number = int.from_bytes(raw, signed=form == _INT)
        if form == _INT:
            if number >= -least:
                raise ValueError("a longer form than needed")
            return self.number(number)
        if number < least:
            raise ValueError("a longer form than needed")
        return self.number(number) if form == _UINT else self.sized(form, number, depth)

    def number(self, number: int) -> int:
        """The number, if it is in range."""
        if number >= 2**63 or (number < 0 and not self.allow_negative):
            raise ValueError("out of range")
        return number

    def sized(self, form: int, size: int, depth: int) -> object:
        """A string, bin, array or map of this size."""
        if form == _BIN:
            return self.take(size)
        if form == _STR:
            return self.take(size).decode("utf-8")
        if size > 256 or depth > 8 or (form == _MAP and not self.allow_map):
            raise ValueError("too large, too deep or no map here")
        if form == _ARRAY:
            return [self.value(depth + 1) for _ in range(size)]
        return self.pairs(size, depth)

    def pairs(self, size: int, depth: int) -> dict[str, object]:
        """A map with string keys, each greater than the one before."""
        found: dict[str, object] = {}
        last = None
        for _ in range(size):
            key = self.value(depth + 1)
            if not isinstance(key, str) or (last is not None and key.encode() <= last):
                raise ValueError("keys are strings in order")
            last = key.encode()
            found[key] = self.value(depth + 1)
        return found
