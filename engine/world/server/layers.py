"""Server data in several places, one on top of the other: the base of a world and the patches for it.

Of each landblock, each weenie and each landblock's encounters the last place counts that has it, whole: a patch's file
replaces the base's, and so do the rows of a database those of a folder below it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from engine.world.faults import Fault, WorldError
from engine.world.server.model import BlockContent, Encounter, ServerData, Told, Weenie
from engine.world.server.place import MAX_PATHS
from engine.world.server.sources import open_server_data


class LayeredData(ServerData):
    """Several sources as one; the last one is the topmost."""

    def __init__(self, layers: Sequence[ServerData]) -> None:
        super().__init__(" + ".join(layer.name for layer in layers))
        names = [layer.name for layer in layers]
        self.layers = {
            name if names.count(name) == 1 else f"{name} ({number})": layer
            for number, (name, layer) in enumerate(zip(names, layers, strict=True), 1)
        }
        """The sources by names that tell them apart, the base first."""
        self._from_top = [*self.layers.values()][::-1]

    def all_faults(self) -> list[Fault]:
        return [_said_by(name, fault) for name, layer in self.layers.items() for fault in layer.all_faults()]

    def landblocks(self) -> list[int]:
        return sorted({block_id for layer in self._from_top for block_id in layer.landblocks()})

    def has_block(self, block_id: int) -> bool:
        return any(layer.has_block(block_id) for layer in self._from_top)

    def block(self, block_id: int) -> BlockContent:
        """The content of the topmost layer that has the landblock, with strays from files that count themselves."""
        content = self._own(block_id)
        for name, layer in self.layers.items():
            for origin, instances in layer.strays_into(block_id).items():
                if self._top_of(origin) is layer:
                    for instance in instances:
                        instance.source = _named(name, instance.source)
                        content.instances.append(instance)
        return content

    def _top_of(self, block_id: int) -> ServerData | None:
        return next((layer for layer in self._from_top if layer.has_block(block_id)), None)

    def _own(self, block_id: int) -> BlockContent:
        for name, layer in reversed(self.layers.items()):
            if layer.has_block(block_id):
                content = layer.own_block(block_id)
                for instance in content.instances:
                    instance.source = _named(name, instance.source)
                for link in content.links:
                    link.source = _named(name, link.source)
                content.faults = [_said_by(name, fault) for fault in content.faults]
                return content
        return BlockContent(block_id)

    def weenie(self, wcid: int) -> Weenie | None:
        found = (layer.weenie(wcid) for layer in self._from_top)
        return next((weenie for weenie in found if weenie is not None), None)

    def prepare(self, wcids: Collection[int]) -> None:
        missing = set(wcids)
        for layer in self._from_top:
            layer.prepare(missing)
            missing = {wcid for wcid in missing if layer.weenie(wcid) is None}

    def has_encounters(self, block_id: int) -> bool:
        return any(layer.has_encounters(block_id) for layer in self._from_top)

    def encounters(self, block_id: int) -> list[Encounter]:
        for layer in self._from_top:
            if layer.has_encounters(block_id):
                return layer.encounters(block_id)
        return []

    def counts(self) -> dict[str, int]:
        """Of what both have, each layer counts its own; `landblocks` are those of the whole."""
        each = [
            {f"{what} in {name}": count for what, count in layer.counts().items()}
            for name, layer in self.layers.items()
        ]
        return {"landblocks": len(self.landblocks()), **{what: count for one in each for what, count in one.items()}}

    def block_file(self, block_id: int) -> Path | None:
        top = self._top_of(block_id)
        return None if top is None else top.block_file(block_id)

    def weenie_file(self, wcid: int) -> Path | None:
        top = next((layer for layer in self._from_top if layer.weenie(wcid) is not None), None)
        return None if top is None else top.weenie_file(wcid)

    def weenies(self) -> list[int]:
        return sorted({wcid for layer in self._from_top for wcid in layer.weenies()})

    def encounter_blocks(self) -> list[int]:
        return sorted({block_id for layer in self._from_top for block_id in layer.encounter_blocks()})

    def close(self) -> None:
        for layer in self._from_top:
            layer.close()


def _named(name: str, sentence: str) -> str:
    """A database names itself."""
    return sentence if sentence.startswith(f"{name}: ") else f"{name}: {sentence}"


def _said_by(name: str, fault: Fault) -> Fault:
    return replace(fault, reason=_named(name, fault.reason))


def open_layers(paths: Sequence[str | Path], told: Told | None = None) -> ServerData:
    """Open server data, the base first; raises a WorldError that names the path which is none."""
    if len(paths) > MAX_PATHS:
        raise WorldError(f"server data is in at most {MAX_PATHS} places, not {len(paths)}")
    layers: list[ServerData] = []
    try:
        layers.extend(open_server_data(path, told) for path in paths)
    except BaseException:
        for layer in layers:
            layer.close()
        raise
    return layers[0] if len(layers) == 1 else LayeredData(layers)
