"""Announces one table and listens at its port until killed.

`python -m tests.announce TAG HOST SEATS BIND` prints `up` when the announcement is out.
"""

import sys

import trio

from tongits_lan.net.announcements import Notice
from tongits_lan.net.discovery import Announcer, looking
from tongits_lan.net.transport import open_door


async def main(*arguments: str) -> None:
    tag, host, seats, bind = arguments
    door = open_door(bind, None)
    door.listener()
    announcer = Announcer(looking(bind=bind), f"{tag[:4]}{host}", v6=True)
    announcer.announce(Notice(bytes.fromhex(tag), host, int(seats), "pagat", door.port, "0.1.0"))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(announcer.run)
        await announcer.said()
        print("up", flush=True)


if __name__ == "__main__":
    trio.run(main, *sys.argv[1:5])
