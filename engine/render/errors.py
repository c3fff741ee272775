"""The error that the picture is refused with."""

from __future__ import annotations


class RenderError(Exception):
    """OpenGL is not there, or refused something; the text says what was being done."""
