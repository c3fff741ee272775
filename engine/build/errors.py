"""The one error of the builder: a description that no world can be made of, and where it is wrong."""

from __future__ import annotations


class BuildError(Exception):
    """A bad description: `where` names the room, opening or object, `reason` the fault."""

    where: str
    reason: str

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"{where}: {reason}")
        self.where = where
        self.reason = reason
