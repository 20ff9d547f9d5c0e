"""What a user can get wrong at the command line: one sentence each, the right exit code, nothing lost."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.processes import free_port, table, tongits
from tongits_lan.cli.main import main

pytestmark = pytest.mark.slow


def one_sentence(stderr: str) -> None:
    assert len(stderr.splitlines()) == 1, stderr
    assert "Traceback" not in stderr
    assert stderr.strip().endswith(".")


@contextmanager
def server(answer: bytes) -> Iterator[int]:
    """A port that is not ours: says `answer` to whoever connects and hangs up."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            while True:
                try:
                    link, _ = listening.accept()
                except OSError:
                    return
                with link:
                    link.sendall(answer)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listening.getsockname()[1]
        listening.shutdown(socket.SHUT_RDWR)
        thread.join(5)


def test_a_host_that_does_not_exist(tmp_path: Path) -> None:
    address = "no-such-host.invalid:15213"
    done = tongits(tmp_path, "join", "--bind", "127.0.0.1", address, "--plain", "--data-dir", "d", stdin="")
    assert done.returncode in (2, 3)
    one_sentence(done.stderr)


@pytest.mark.parametrize("address", ["127.0.0.1:0", "127.0.0.1:99999", "::::", ""])
def test_a_wrong_address(tmp_path: Path, capfd: pytest.CaptureFixture[str], address: str) -> None:
    """As the command does it, but in this process."""
    words = ["join", "--bind", "127.0.0.1", address, "--plain", "--data-dir", str(tmp_path)]
    assert main(words) in (2, 3)
    one_sentence(capfd.readouterr().err)


def test_a_closed_port(tmp_path: Path) -> None:
    done = tongits(
        tmp_path, "join", "--bind", "127.0.0.1", f"127.0.0.1:{free_port()}", "--auto", "--data-dir", "d"
    )
    assert done.returncode == 3
    one_sentence(done.stderr)


@pytest.mark.parametrize(
    "answer", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\x15\x03\x03\x00\x02\x02\x28", bytes(70_000)]
)
def test_a_port_that_is_not_ours(tmp_path: Path, answer: bytes) -> None:
    with server(answer) as port:
        done = tongits(
            tmp_path, "join", "--bind", "127.0.0.1", f"127.0.0.1:{port}", "--auto", "--data-dir", "d"
        )
    assert done.returncode == 3
    one_sentence(done.stderr)


def test_a_busy_port(tmp_path: Path) -> None:
    with server(b"") as port:
        done = tongits(
            tmp_path, "host", "--bind", "127.0.0.1", "--port", str(port), "--auto", "--data-dir", "d"
        )
    assert done.returncode == 1
    one_sentence(done.stderr)
    assert str(port) in done.stderr


def test_an_unwritable_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    done = tongits(tmp_path, "play", "--auto", "--plain", "--data-dir", "file/data")
    assert done.returncode == 1
    one_sentence(done.stderr)
    assert (tmp_path / "file").read_text() == "mine"


def test_an_unwritable_folder_for_a_demonstration(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    done = tongits(tmp_path, "demo", "--dir", "file/data")
    assert done.returncode == 1
    one_sentence(done.stderr)


def test_a_program_that_holds_the_folder_keeps_it(tmp_path: Path) -> None:
    with table(tmp_path) as programs:
        ana, _, _ = programs.three_bots("--hands", "0")
        ana.wait_event("hand_dealt")
        second = programs.again(ana)
        assert second.end() == 1
        one_sentence(second.stderr())
        ana.wait_event("discarded", times=4)
