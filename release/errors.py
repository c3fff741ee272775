"""What cannot be released, in one sentence."""

from __future__ import annotations


class ReleaseError(Exception):
    """The reason why something was not made."""
