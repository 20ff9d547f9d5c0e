"""What the mDNS library hears about our service, handed on as plain values.

The only module that looks at DNS records. Imported when discovery starts, in the library's own thread at
work; must not know trio, and judges nothing of what it hands on.
"""

import logging
from collections.abc import Callable, Iterable

from zeroconf import (
    DNSOutgoing,
    DNSPointer,
    DNSQuestion,
    DNSService,
    DNSText,
    RecordUpdateListener,
    ServiceInfo,
    Zeroconf,
)
from zeroconf import RecordUpdate as Update

from tongits_lan.net.announcements import SERVICE, Heard

_QUERY = 0x0000  # the flags of a question
_PTR = 12
_IN = 1
_INSTANCES_MAX = 64  # looked at in one packet

_log = logging.getLogger(__name__)


def question() -> DNSOutgoing:
    """Asks everybody who offers our service. No known answers: each answer is a sign of life."""
    asked = DNSOutgoing(_QUERY)
    asked.add_question(DNSQuestion(SERVICE, _PTR, _IN))
    return asked


class Listener(RecordUpdateListener):
    """Calls `hear` in the library's thread: with an announcement, or with the instance that said goodbye."""

    def __init__(self, hear: Callable[[Heard | str], None]) -> None:
        self._hear = hear
        self._touched: dict[str, None] = {}
        self._engine: Zeroconf | None = None

    def async_update_records(self, zc: Zeroconf, now: float, records: Iterable[Update]) -> None:
        """One packet of records, before they are in the cache."""
        self._engine = zc
        for update in records:
            record = update.new
            if isinstance(record, DNSPointer) and record.name.lower() == SERVICE:
                instance = record.alias
            elif isinstance(record, DNSService | DNSText) and record.name.lower().endswith(f".{SERVICE}"):
                instance = record.name
            else:
                continue
            if record.ttl == 0:
                self._touched.pop(instance, None)
                self._hear(instance)
            elif not record.is_expired(now) and len(self._touched) < _INSTANCES_MAX:
                self._touched[instance] = None

    def async_update_records_complete(self) -> None:
        """The records of that packet are in the cache now."""
        touched, self._touched = self._touched, {}
        for instance in touched:
            heard = self._load(instance)
            if heard is not None:
                self._hear(heard)

    def _load(self, instance: str) -> Heard | None:
        assert self._engine is not None
        try:
            info = ServiceInfo(SERVICE, instance)
            if not info.load_from_cache(self._engine):
                return None  # some of its records are on their way, or will come with the next answer
            hosts = tuple(info.parsed_scoped_addresses())
            return Heard(instance, dict(info.properties), hosts, info.port or 0)
        except Exception as error:  # names and records of strangers: whatever is wrong, it is no table
            _log.debug("an announcement that cannot be read: %r", error)
            return None
