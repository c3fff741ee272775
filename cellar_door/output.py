"""The standard output, of which a program learns only when it writes that it cannot be written.

Names in what is printed may hold what steers a terminal: here is the last place where it is written out.
"""

from __future__ import annotations

import errno
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import TextIO, cast

from editor.process.output_error import OutputError as OutputError
from editor.process.plain_text import visible_output


def write_everything() -> None:
    """Let the output accept every character: it escapes those that its encoding lacks (\\u2713), as stderr does."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


@contextmanager
def guarded_output() -> Iterator[None]:
    """Have every print say with an OutputError that it could not, and write at the end what is still held back.

    A reader that went away stays a BrokenPipeError.
    """
    output, errors = _Output(sys.stdout), _Errors(sys.stderr)
    with redirect_stdout(cast(TextIO, output)), redirect_stderr(cast(TextIO, errors)):
        try:
            yield
        finally:
            output.finish()


class _Output:
    """The stream behind it, for reading its properties; None where there is none, as after `>&-`."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self._is_used = False

    def write(self, text: str) -> int:
        self._is_used = True
        with _told():
            return self._opened().write(visible_output(text))

    def flush(self) -> None:
        with _told():
            self._opened().flush()

    def finish(self) -> None:
        """A program that prints nothing, such as the window, needs no output."""
        if self._is_used:
            self.flush()

    def _opened(self) -> TextIO:
        if self._stream is None:
            raise OutputError("the output is closed")
        return self._stream

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


class _Errors:
    """The error output; without one, text is dropped."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return 0 if self._stream is None else self._stream.write(visible_output(text))

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        if sys.platform == "win32" and error.errno == errno.EINVAL:  # what Windows says of a reader that went away
            raise BrokenPipeError(errno.EPIPE, "the reader went away") from error
        raise OutputError(f"the output cannot be written: {error.strerror or error}") from error
