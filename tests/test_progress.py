"""The bar of what takes long: patient, gone at the end, and no bar where nobody could see it move."""

from collections.abc import Callable

import pytest

from tongits_lan.cli.progress import Progress


def clock(*moments: float) -> Callable[[], float]:
    return iter(moments).__next__


def test_it_waits_a_second_and_then_shows_a_bar(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress(clock(0.0, 0.5, 1.5, 2.0), terminal=True) as progress:
        progress(1, 4)
        assert capsys.readouterr().err == ""
        progress(2, 4)
        assert "[###############...............] 50%" in capsys.readouterr().err
        progress(2, 4)
        assert capsys.readouterr().err == ""  # nothing new
        progress(4, 4)
    assert capsys.readouterr().err.endswith("\r")


def test_what_is_quick_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress(clock(0.0, 0.5, 0.9), terminal=True, elsewhere=lambda: "Long.") as progress:
        progress(1, 2)
        progress(2, 2)
    assert capsys.readouterr().err == ""


def test_the_bar_is_gone_when_the_work_fails(capsys: pytest.CaptureFixture[str]) -> None:
    def work() -> None:
        with Progress(clock(0.0, 2.0), terminal=True) as progress:
            progress(1, 0)  # of a pipe nobody knows how long it is
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    said = capsys.readouterr().err
    assert "100%" in said
    assert said.endswith("\r")


def test_without_a_terminal_it_is_one_sentence_or_none(capsys: pytest.CaptureFixture[str]) -> None:
    for elsewhere, lines in ((lambda: "This takes long.", 1), (None, 0)):
        with Progress(clock(0.0, 1.5, 2.0), terminal=False, elsewhere=elsewhere) as progress:
            progress(1, 4)
            progress(2, 4)
        assert len(capsys.readouterr().err.splitlines()) == lines
