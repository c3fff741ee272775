"""The error that the picture is refused with."""

from __future__ import annotations


class RenderError(Exception):
    """OpenGL is missing, or refused a call; the message names the operation in progress."""
