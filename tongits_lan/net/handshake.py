"""Who is at the other end of a link: the first messages, in which both ends sign what they said.

Owns `hello`, `refused`, `auth`, `pake`, `confirm` and `welcome` (docs/protocol.md, "Identities and link").
Must not know lobbies, tables or files; who is let in, and with what code, is asked of the caller.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import trio

from tongits_lan import __version__
from tongits_lan.deck.group import frame
from tongits_lan.errors import Fault, LinkLost
from tongits_lan.game.sentences import mark, phrase
from tongits_lan.ledger.chain import PROTOCOL as PROTOCOL
from tongits_lan.ledger.chain import fingerprint, good_public_key, signature_holds
from tongits_lan.ledger.messages import (
    Auth,
    Bye,
    Confirm,
    Hello,
    HelloBack,
    Message,
    Pake,
    RefusedCode,
    RefusedLink,
    Welcome,
)
from tongits_lan.ledger.texts import clean
from tongits_lan.limits import CHAT_MAX, NAME_MAX
from tongits_lan.net.join_code import Exchange, Gate, Proofs, WrongCodeError
from tongits_lan.net.link import Link
from tongits_lan.store.identity import Identity

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
GateFor = Callable[[bytes], Gate | None]
"""Asked with a key: the gate it has to pass, None for a key that needs no code."""

Asking = Literal["code", "wrong code", "open", "other key"]


@dataclass(frozen=True, slots=True)
class Question:
    """What the player has to say before his program goes on with a server, which has proved its key.

    `code`: it wants one; `wrong code`: it does not take the one given; `open`: it asks for none, and this
    player does not know its key; `other key`: somebody of that name had another one."""

    asks: Asking
    name: str
    pk: bytes

    @property
    def fingerprint(self) -> tuple[str, str, str, str]:
        """The words of the key."""
        return fingerprint(self.pk)


class Asks(LinkLost):
    """This end left because its player has to be asked first."""

    def __init__(self, question: Question) -> None:
        super().__init__(f"the player has to be asked: {question.asks}")
        self.question = question


@dataclass(frozen=True, slots=True)
class Terms:
    """On what terms a player comes to a server."""

    seated: Callable[[bytes], bool] = lambda pk: False
    """Whether he and that key hold seats at one table: then no code is needed, whoever asks."""
    known: Callable[[bytes], bool] = lambda pk: False
    """Whether he has met that key before: then he need not be asked where there is no code."""
    renamed: Callable[[str, bytes], bool] = lambda name, pk: False
    """Whether somebody of that name has another key."""
    code: str | None = field(default=None, repr=False)
    """The code he was told."""
    open: bool = False
    """Whether he goes to any table that asks for no code."""
    accepted: frozenset[bytes] = frozenset()
    """Keys he said yes to."""


async def greet_server(
    link: Link, me: Me, expects: Callable[[bytes], bool] | None = None, terms: Terms | None = None
) -> Peer:
    """The client's side, up to `welcome`. Raises Declined, Asks, NotOurs, LinkLost.

    A server whose key `expects` says no to is left before this end has signed anything. Without `terms` the
    key alone counts."""
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
        name = server_name or phrase("The other end")
        raise Declined("stranger", phrase("{name} holds another key than expected.", name=name))
    transcript = _transcript(link, nonce, back.nonce, me.identity.pk, back.pk)
    await link.send(Auth(_sign(me, b"client", transcript)))
    _check_auth(await _next(link), back.pk, b"server", transcript)
    code = _agreed_code(terms or Terms(open=True), server_name, back)
    if code is not None:
        await _give_code(link, me, code, transcript, Question("wrong code", server_name, back.pk))
    link.trust()
    welcome = await _next(link)
    if not isinstance(welcome, Welcome):
        raise NotOurs("the server did not say welcome")
    return Peer(back.pk, server_name, clean(back.app_version, _VERSION_MAX), welcome.table_tag)


def _agreed_code(terms: Terms, name: str, back: HelloBack) -> str | None:
    """The code to give to an authenticated server, None where none is needed. Raises Asks, Declined."""
    if terms.renamed(name, back.pk) and back.pk not in terms.accepted:
        raise Asks(Question("other key", name, back.pk))
    if back.needs_code:
        if terms.code is None:
            raise Asks(Question("code", name, back.pk))
        return terms.code
    if terms.seated(back.pk):
        return None
    if terms.code is not None:
        raise Declined(
            "code",
            phrase(
                "{name}'s table asks for no code though you were told one: somebody else may answer there,"
                " so compare the words of your tables first, or join without a code.",
                name=name,
            ),
        )
    if not (terms.open or terms.known(back.pk) or back.pk in terms.accepted):
        raise Asks(Question("open", name, back.pk))
    return None


async def _give_code(link: Link, me: Me, code: str, transcript: bytes, wrong: Question) -> None:
    """Proves the code to the server and has it prove it, too. Raises Asks for a wrong one."""
    exchange = Exchange("client", code, transcript, me.entropy)
    await link.send(Pake(await trio.to_thread.run_sync(exchange.start)))
    try:
        proofs: Proofs | None = None
        match await _next(link):
            case Pake(data=data):
                proofs = await trio.to_thread.run_sync(exchange.finish, data)
            case RefusedLink(code="code"):
                raise WrongCodeError
            case _:
                raise NotOurs("the server did not answer a code")
        await link.send(Confirm(proofs.mine))
        match await _next(link):
            case Confirm(mac=mac):
                proofs.check(mac)
            case RefusedLink(code="code"):
                raise WrongCodeError
            case _:
                raise NotOurs("the server did not confirm the code")
    except WrongCodeError:
        raise Asks(wrong) from None


async def greet_client(
    link: Link, me: Me, tag: bytes, admit: Admit, gate_for: GateFor = lambda pk: None
) -> Peer:
    """The server's side, up to `welcome`. Raises Declined (after telling the client), NotOurs, LinkLost."""
    hello = await _next(link)
    if not isinstance(hello, Hello):
        raise NotOurs("the client did not say hello")
    refusal = _refusal(hello, me) or admit(hello.pk)
    if refusal is not None:
        await link.send(RefusedLink(refusal[0], refusal[1][:CHAT_MAX]))
        raise Declined(*refusal)
    nonce, gate = me.entropy(32), gate_for(hello.pk)
    await link.send(HelloBack(PROTOCOL, me.version, me.name, me.identity.pk, nonce, gate is not None))
    transcript = _transcript(link, hello.nonce, nonce, hello.pk, me.identity.pk)
    _check_auth(await _next(link), hello.pk, b"client", transcript)
    await _still_admitted(link, hello.pk, admit)
    await link.send(Auth(_sign(me, b"server", transcript)))
    name = clean(hello.name, NAME_MAX)
    if gate is not None:
        await _take_code(link, me, gate, transcript, name)
        await _still_admitted(link, hello.pk, admit)
    link.trust()
    await link.send(Welcome(tag))
    return Peer(hello.pk, name, clean(hello.app_version, _VERSION_MAX), tag)


async def _still_admitted(link: Link, pk: bytes, admit: Admit) -> None:
    """Raises Declined, after telling the client, for a key that may not come in any more."""
    late = admit(pk)
    if late is not None:
        await link.send(Bye("full" if late[0] == "full" else "closing", late[1][:CHAT_MAX]))
        raise Declined(*late)


async def _take_code(link: Link, me: Me, gate: Gate, transcript: bytes, name: str) -> None:
    """Has an authenticated client prove the code, then proves it to him. Raises Declined for a wrong one."""
    message = await _next(link)
    if not isinstance(message, Pake):
        raise NotOurs("the client gave no code")
    attempt = gate.begin()
    try:
        exchange = Exchange("server", attempt.code, transcript, me.entropy)
        own = await trio.to_thread.run_sync(exchange.start, limiter=gate.limiter)
        proofs = await trio.to_thread.run_sync(exchange.finish, message.data, limiter=gate.limiter)
        await link.send(Pake(own))
        answer = await _next(link)
        if not isinstance(answer, Confirm):
            raise NotOurs("the client did not confirm the code")
        proofs.check(answer.mac)
        attempt.ended(well=True)
        await link.send(Confirm(proofs.mine))
    except WrongCodeError:
        attempt.ended(well=False)
        with trio.move_on_after(1):
            await link.send(RefusedLink("code", "That is not this table's join code."))
        who = name or phrase("Somebody")
        text = phrase("{name} gave a wrong join code and was not let in.", name=who)
        raise Declined("code", text) from None
    finally:
        attempt.ended(well=False)  # whatever else ended it; the first word counts


def _refusal(hello: Hello, me: Me) -> tuple[RefusedCode, str] | None:
    if not set(hello.protocols) & set(me.protocols):
        return "version", _version_text(clean(me.name, NAME_MAX), me.version, hello.app_version)
    if hello.pk == me.identity.pk:
        return "identity", _same_identity()
    if not good_public_key(hello.pk):
        return "identity", mark("This key is none that can sign: start with another --data-dir.")
    return None


def _version_text(server_name: str, server_version: str, client_version: str) -> str:
    server_version, client_version = clean(server_version, _VERSION_MAX), clean(client_version, _VERSION_MAX)
    return phrase(
        "{name} has version {version}, who joins has {other}, and they cannot play together: update the older"
        " one with `{command}`.",
        name=server_name or phrase("The host"),
        version=server_version,
        other=client_version,
        command=UPGRADE,
    )


def _same_identity() -> str:
    return mark("This is the host's own identity: a second player on one machine needs its own --data-dir.")


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
    if not signature_holds(pk, frame("auth", role, transcript), message.sig):
        raise NotOurs("the signature does not fit the key")
