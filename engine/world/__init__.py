"""Cell ids, cells, portals, buildings, terrain, landblocks and the one cell graph (physics.md 6, 10, 15)."""

from engine.world.faults import Fault, Severity, WorldError

__all__ = ["Fault", "Severity", "WorldError"]
