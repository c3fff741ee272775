"""Ctrl-C while a library starts waits until that is over."""

from __future__ import annotations

import signal

import pytest

from editor.process.interrupt import interrupts_held


def start(done: list[str], failure: Exception | None = None) -> None:
    """What must not be torn; it is interrupted in its midst."""
    with interrupts_held():
        signal.raise_signal(signal.SIGINT)
        if failure is not None:
            raise failure
        done.append("all of it")


def test_an_interrupt_waits_for_what_must_not_be_torn() -> None:
    done: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        start(done)
    assert done == ["all of it"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_error_meanwhile_is_told_first() -> None:
    with pytest.raises(ImportError):
        start([], ImportError())
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_what_ignores_interrupts_goes_on_ignoring_them() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    done: list[str] = []
    try:
        start(done)
        assert done == ["all of it"]
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
