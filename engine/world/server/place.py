"""Where the server data of a world was, as recordings and projects say it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit, urlunsplit

MAX_PATHS: Final = 16
MAX_PATH: Final = 4096
MAX_WORDS: Final = 16
URL_SIGN: Final = "://"


@dataclass(frozen=True)
class ServerPlace:
    """Folders, files or URLs, the base first; none where the world had no server data. `also` is what stood there
    beside what usually does."""

    paths: tuple[str, ...] = ()
    also: tuple[str, ...] = ()

    def form(self) -> dict[str, list[str]]:
        """As JSON has it."""
        return {"paths": [without_password(path) for path in self.paths], "also": list(self.also)}


def read_server_place(form: object) -> ServerPlace | None:
    """The place in a file that anybody may have written; None where the file says nothing, as older ones do.

    Raises a ValueError for anything else.
    """
    if form is None:
        return None
    if not isinstance(form, dict):
        raise ValueError("the place of the server data is not a JSON object")  # noqa: TRY004  # it is the file that is wrong
    return ServerPlace(_texts(form.get("paths"), MAX_PATHS, "paths"), _texts(form.get("also"), MAX_WORDS, "also"))


def _texts(value: object, most: int, what: str) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > most:
        raise ValueError(f"{what!r} of the server data should be a list of at most {most} texts")
    for text in value:
        if not isinstance(text, str) or not 0 < len(text) <= MAX_PATH or any(map(_is_odd, text)):
            raise ValueError(f"{what!r} of the server data has something that is no text")
    return tuple(value)


def _is_odd(sign: str) -> bool:
    return "\ud800" <= sign <= "\udfff" or sign == "\0"


def is_url(path: str) -> bool:
    return URL_SIGN in path


def without_password(path: str) -> str:
    """A path as it may be written into a file that is passed on."""
    if not is_url(path):
        return path
    try:
        parts = urlsplit(path)
    except ValueError:
        return path.partition(URL_SIGN)[0] + URL_SIGN
    user, at, host = parts.netloc.rpartition("@")
    return urlunsplit(parts._replace(netloc=f"{user.partition(':')[0]}{at}{host}"))
