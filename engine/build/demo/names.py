"""The names of the demo world's rooms and models for people, from those of its description."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.world.names import Named, NameKey, clean_name

MATERIALS: Final = frozenset({"wood", "timber", "oak", "stone", "brick", "iron", "quilt", "rug", "crate", "barrel"})
"""Words at the end of a model's description that say what it is made of."""

STOREYS: Final = {"0": "Passage", "3": "Lower passage", "6": "Deep passage"}
"""Passages of the dungeon by how many metres below the entrance they are."""


def demo_names(described: Mapping[NameKey, str]) -> dict[NameKey, str]:
    """Names such as Parlour, Kitchen window 2, Lower passage 19.13 and Barrel."""
    return {
        key: clean_name(_model_name(text) if key.kind is Named.MODEL else _room_name(text))
        for key, text in described.items()
    }


def _room_name(text: str) -> str:
    words = text.split()
    if words[0] == "passage" and len(words) == 3:
        return f"{STOREYS[words[1]]} {words[2]}"
    name = text.replace("-", " to ").replace(".", " ")
    return name[:1].upper() + name[1:]


def _model_name(text: str) -> str:
    """Without measures and materials: `barrel 0.4 x 1 barrel iron` is a barrel."""
    words: list[str] = []
    for word in text.split():
        if any(letter.isdigit() for letter in word):
            break
        words.append(word)
    while len(words) > 1 and words[-1] in MATERIALS:
        words.pop()
    return " ".join(words).capitalize()
