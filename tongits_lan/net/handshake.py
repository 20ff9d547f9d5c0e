"""Who is at the other end of a link: the first messages, in which both ends sign what they said.

Owns `hello`, `refused`, `auth` and `welcome` (docs/protocol.md, "Identities and link"). Must not know
lobbies, tables or files; who is let in is asked of the caller.
"""

from collections.abc import Callable
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tongits_lan import __version__
from tongits_lan.deck.group import frame
from tongits_lan.errors import Fault, LinkLost
from tongits_lan.ledger.chain import good_public_key
from tongits_lan.ledger.messages import (
    Auth,
    Bye,
    Hello,
    HelloBack,
    Message,
    RefusedCode,
    RefusedLink,
    Welcome,
)
from tongits_lan.ledger.texts import clean
from tongits_lan.limits import CHAT_MAX, NAME_MAX
from tongits_lan.net.link import Link
from tongits_lan.store.identity import Identity

PROTOCOL = "tongits-lan/1"
PROTOCOLS = (PROTOCOL,)
UPGRADE = "pipx upgrade tongits-lan"
_VERSION_MAX = 24  # characters of a version that are shown


@dataclass(frozen=True, slots=True)
class Me:
    """How this end introduces itself."""

    identity: Identity
    name: str
    entropy: Callable[[int], bytes]
    protocols: tuple[str, ...] = PROTOCOLS
    version: str = __version__


@dataclass(frozen=True, slots=True)
class Peer:
    """The authenticated other end; `tag` (8 bytes) is the server's table tag."""

    pk: bytes
    name: str
    version: str
    tag: bytes


class Declined(LinkLost):
    """The other end, or this one, refused the link for a reason of section "Identities and link"."""

    def __init__(self, code: RefusedCode, text: str) -> None:
        super().__init__(text)
        self.code = code


class NotOurs(LinkLost):
    """What answers does not speak this protocol."""


Admit = Callable[[bytes], tuple[RefusedCode, str] | None]
"""Asked with a key: None to let it in, else why not."""


async def greet_server(link: Link, me: Me, expects: Callable[[bytes], bool] | None = None) -> Peer:
    """The client's side, up to `welcome`. Raises Declined, NotOurs, LinkLost.

    A server whose key `expects` says no to is left before this end has signed anything."""
    nonce = me.entropy(32)
    await link.send(Hello(me.protocols, me.version, me.name, me.identity.pk, nonce))
    back = await _first_answer(link)
    if isinstance(back, RefusedLink):
        raise Declined(back.code, clean(back.text, CHAT_MAX))
    server_name = clean(back.name, NAME_MAX)
    if back.protocol not in me.protocols:
        raise Declined("version", _version_text(server_name, back.app_version, me.version))
    if back.pk == me.identity.pk:
        raise Declined("identity", _same_identity())
    if not good_public_key(back.pk) or (expects is not None and not expects(back.pk)):
        raise Declined("stranger", f"{server_name or 'The other end'} holds another key than expected.")
    if back.needs_code:
        raise Declined("code", f"{server_name}'s table asks for a join code, which this version cannot give.")
    transcript = _transcript(link, nonce, back.nonce, me.identity.pk, back.pk)
    await link.send(Auth(_sign(me, b"client", transcript)))
    _check_auth(await _next(link), back.pk, b"server", transcript)
    link.trust()
    welcome = await _next(link)
    if not isinstance(welcome, Welcome):
        raise NotOurs("the server did not say welcome")
    return Peer(back.pk, server_name, clean(back.app_version, _VERSION_MAX), welcome.table_tag)


async def greet_client(link: Link, me: Me, tag: bytes, admit: Admit) -> Peer:
    """The server's side, up to `welcome`. Raises Declined (after telling the client), NotOurs, LinkLost."""
    hello = await _next(link)
    if not isinstance(hello, Hello):
        raise NotOurs("the client did not say hello")
    refusal = _refusal(hello, me) or admit(hello.pk)
    if refusal is not None:
        await link.send(RefusedLink(refusal[0], refusal[1][:CHAT_MAX]))
        raise Declined(*refusal)
    nonce = me.entropy(32)
    await link.send(HelloBack(PROTOCOL, me.version, me.name, me.identity.pk, nonce, False))
    transcript = _transcript(link, hello.nonce, nonce, hello.pk, me.identity.pk)
    _check_auth(await _next(link), hello.pk, b"client", transcript)
    late = admit(hello.pk)
    if late is not None:
        await link.send(Bye("full" if late[0] == "full" else "closing", late[1][:CHAT_MAX]))
        raise Declined(*late)
    link.trust()
    await link.send(Auth(_sign(me, b"server", transcript)))
    await link.send(Welcome(tag))
    return Peer(hello.pk, clean(hello.name, NAME_MAX), clean(hello.app_version, _VERSION_MAX), tag)


def _refusal(hello: Hello, me: Me) -> tuple[RefusedCode, str] | None:
    if not set(hello.protocols) & set(me.protocols):
        return "version", _version_text(clean(me.name, NAME_MAX), me.version, hello.app_version)
    if hello.pk == me.identity.pk:
        return "identity", _same_identity()
    if not good_public_key(hello.pk):
        return "identity", "This key is none that can sign: start with another --data-dir."
    return None


def _version_text(server_name: str, server_version: str, client_version: str) -> str:
    server_version, client_version = clean(server_version, _VERSION_MAX), clean(client_version, _VERSION_MAX)
    return (
        f"{server_name or 'The host'} has version {server_version}, who joins has {client_version}, and they"
        f" cannot play together: update the older one with `{UPGRADE}`."
    )


def _same_identity() -> str:
    return "This is the host's own identity: a second player on one machine needs its own --data-dir."


async def _first_answer(link: Link) -> HelloBack | RefusedLink:
    try:
        answer = await _next(link)
    except NotOurs:
        raise
    except LinkLost as lost:
        raise NotOurs(str(lost)) from lost
    if not isinstance(answer, HelloBack | RefusedLink):
        raise NotOurs("the server did not say hello")
    return answer


async def _next(link: Link) -> Message:
    """The next message, where a `bye` or bytes that are none end the handshake."""
    try:
        message = await link.receive()
    except Fault as fault:
        raise NotOurs(str(fault)) from fault
    if isinstance(message, Bye):
        text = clean(message.text, CHAT_MAX) or str(message.code)
        if message.code == "full":
            raise Declined("full", text)
        raise LinkLost(text)
    return message


def _transcript(link: Link, nonce_c: bytes, nonce_s: bytes, pk_c: bytes, pk_s: bytes) -> bytes:
    return frame("link", link.binding, nonce_c, nonce_s, pk_c, pk_s)


def _sign(me: Me, role: bytes, transcript: bytes) -> bytes:
    return me.identity.key.sign(frame("auth", role, transcript))


def _check_auth(message: Message, pk: bytes, role: bytes, transcript: bytes) -> None:
    if not isinstance(message, Auth):
        raise NotOurs("a message before the signature")
    try:
        Ed25519PublicKey.from_public_bytes(pk).verify(message.sig, frame("auth", role, transcript))
    except (InvalidSignature, ValueError):
        raise NotOurs("the signature does not fit the key") from None
