"""What a search tells those who watch it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import mypyc_attr

if TYPE_CHECKING:
    from engine.entities.bodies import PlayerBody
    from engine.explore.search import Search


@mypyc_attr(allow_interpreted_subclasses=True)
class SearchListener:
    """Hears everything and does nothing: a subclass overrides what it wants to know. It looks and changes nothing.

    During a call `search.way_here()` are the keys that led from the seed to the body as it is now.
    """

    def ticked(self, search: Search, body: PlayerBody, ok: bool) -> None:
        """After each tick of a move. `search.cell_before` and `search.origin_before` are the body before it, `ok` is
        False when the sweep was refused, and `body.last_transition` is the sweep, None when nothing was asked for."""

    def arrived(self, search: Search, state: int, is_new: bool) -> None:
        """A move has ended: in a new state, or where another one (`state`) has been before; -1 when beyond the
        limits. The body is still there."""

    def expanded(self, search: Search, state: int) -> None:
        """All moves from a state have been made."""
