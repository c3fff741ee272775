"""Addresses of database servers, written as URLs, and the passwords that this process was given for them.

An address is shown, remembered and compared without its password.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, unquote, urlsplit

SCHEMES: Final = ("mysql", "mariadb")
PORT: Final = 3306
VARIABLE: Final = "CELLAR_DOOR_DB_PASSWORD"
FORM: Final = "mysql://USER@HOST:PORT/DATABASE"
LONGEST: Final = 1000


class AddressError(Exception):
    """A URL that is no address; the message is a clause that follows it."""


@dataclass(frozen=True)
class ServerAddress:
    """Where a database is, and whose rights are used there."""

    host: str
    database: str
    user: str = ""
    port: int = PORT

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        user = f"{quote(self.user, safe='')}@" if self.user else ""
        return f"{SCHEMES[0]}://{user}{host}:{self.port}/{quote(self.database, safe='')}"


def is_address(text: str) -> bool:
    return text.partition("://")[0].lower() in SCHEMES and "://" in text


def read_address(text: str) -> tuple[ServerAddress, str | None]:
    """The address in a URL, and its password if it has one; raises an AddressError that does not repeat the URL."""
    if len(text) > LONGEST or not text.isprintable():
        raise AddressError(f"is no address of a database, which is {FORM}")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise AddressError(f"is no address of a database, which is {FORM}, with a port up to 65535") from error
    database = unquote(parts.path[1:])
    if not parts.hostname or port == 0:
        raise AddressError(f"names no host and port; the address of a database is {FORM}")
    if not database or "/" in database:
        raise AddressError(f"names no database; the address of one is {FORM}")
    if parts.query or parts.fragment:
        raise AddressError(f"goes on after the database; the address of one is {FORM}")
    password = None if parts.password is None else unquote(parts.password)
    address = ServerAddress(parts.hostname, database, unquote(parts.username or ""), PORT if port is None else port)
    return address, password


class Passwords:
    """Passwords by address, in memory alone."""

    def __init__(self) -> None:
        self._known: dict[ServerAddress, str] = {}
        self._refused: set[ServerAddress] = set()

    def keep(self, address: ServerAddress, password: str) -> None:
        self._known[address] = password
        self._refused.discard(address)

    def of(self, address: ServerAddress) -> str:
        """The password to try: the one that was given, that of the environment, or none."""
        return self._known.get(address, os.environ.get(VARIABLE, ""))

    def refuse(self, address: ServerAddress) -> None:
        """Note that the server does not take it."""
        self._known.pop(address, None)
        self._refused.add(address)

    def accept(self, address: ServerAddress) -> None:
        """Note that the server takes it."""
        self._refused.discard(address)

    def is_refused(self, address: ServerAddress) -> bool:
        return address in self._refused


PASSWORDS: Final = Passwords()


def without_password(text: str) -> str:
    """The address in a URL as it may be shown; a password in it is kept for this process."""
    address, password = read_address(text)
    if password is not None:
        PASSWORDS.keep(address, password)
    return str(address)
