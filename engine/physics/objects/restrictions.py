"""The bodies that may enter a cell guarded by a house's barrier (physics.md 6.5, entry restrictions)."""

from __future__ import annotations

from typing import Final

from mypy_extensions import mypyc_attr


@mypyc_attr(allow_interpreted_subclasses=True)
class Restrictions:
    """The answers of the restriction objects; this one knows none of them, so every guarded cell refuses."""

    def lets_in(self, restriction_object: int, mover_id: int) -> bool:
        return False

    def is_known(self, restriction_object: int) -> bool:
        return False


NOBODY_IS_KNOWN: Final = Restrictions()
