"""Loads worlds from data files, golden scenes and dumps, all into the same objects."""

from engine.world.loader.dump_source import Placement
from engine.world.loader.source_detection import open_world

__all__ = ["Placement", "open_world"]
