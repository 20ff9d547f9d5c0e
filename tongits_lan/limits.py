"""Every limit of the protocol (docs/protocol.md, "Limits"), each in one place.

Owns numbers only; knows no other module.
"""

SEATS = 3
FRAME_MAX = 65_536  # bytes of one framed message or ledger frame
ENTRY_MAX = 16_384  # bytes of one signed entry
ENTRIES_PER_MESSAGE = 256  # entries in one `entries` message
NESTING_MAX = 8  # levels of arrays, the outermost is 1
ITEMS_MAX = 256  # elements of one array or map
INT_MAX = 2**63 - 1
CHIPS_MAX = 2**53 - 1  # |chips| and the pot stay below 2^53
AMOUNT_MAX = 1_000_000  # chips, any amount in a rule set
HANDS_MAX = 10_000  # hands of one table
GRACE_MAX = 86_400  # seconds
UNIX_SECONDS_MAX = 2**34 - 1  # the year 2514: a day that every calendar at hand can write
NAME_MAX = 24  # characters (code points)
CHAT_MAX = 500  # characters (code points)
SLOTS_MAX = 54
MELDS_MAX = 64  # a meld index is below this
LOBBY_LINKS = 32
HANDSHAKE_SECONDS = 5.0
UNAUTHENTICATED_MAX = 10_240  # bytes from a link before it is authenticated
ADDRESSES_PER_SEAT = 8
ADDRESS_MAX = 262  # characters: a name of 255, a colon, a port
PORT = 15213
HAVE_SECONDS = 4.0  # between two `have` on one link
PING_SECONDS = 2.0
SILENCE_SECONDS = 6.0  # a link silent for so long is dead
DIAL_SECONDS = 3.0
HEADS_SECONDS = 5.0  # how long a loaded table waits for the second of two heads
GET_BACK_STEPS = (8, 64, 512, 4_096, 32_768, 262_144, 2_097_152)  # heights asked lower and lower
