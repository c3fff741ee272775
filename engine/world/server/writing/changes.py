"""What becomes of the things of a server's world, as the files of its landblocks.

    changes = ServerChanges(data, "2024-05-26 19:09:10", used=world_ids)
    changes.move(0x7A9B4003, 0xA9B4, 0xA9B40100, (84.0, 131.5, 66.0))
    changed = changes.files()               # nothing is written: each has its text before and after

Only files that change are made. A thing that leaves its landblock leaves its file too, and gets an id of the other one;
links follow it. What stands alone because its last parent is removed is no link child any more.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Final

from engine.files.errors import FileError
from engine.files.kinds import SERVER_SQL
from engine.files.reading import read_text
from engine.geometry.quat import Quat
from engine.geometry.vec import Vec3
from engine.world.cells.ids import cell_text, is_env_cell, low_of
from engine.world.faults import WorldError
from engine.world.server.differences import RowDifference, block_differences
from engine.world.server.model import BlockContent, Instance, Place, ServerData
from engine.world.server.writing import layout
from engine.world.server.writing.block_file import BlockFile
from engine.world.server.writing.guids import next_guid
from engine.world.server.writing.layout import InstanceRow, LinkRow

RELATIVE: Final = 5.1e-6
"""What is lost of a number with six digits, at most."""
ABSOLUTE: Final = 5.1e-7


@dataclass(frozen=True)
class ChangedFile:
    """A file that is to be written: its name, its text before (None for a new one) and after, the rows in which they
    differ, and what it has to say."""

    name: str
    block_id: int
    path: Path | None
    before: str | None
    after: str
    rows: tuple[RowDifference, ...]
    instances: tuple[Instance, ...]
    links: frozenset[tuple[int, int]]

    def flaw(self, text: str) -> str:
        """Why a text does not say what the file has to; empty when it does."""
        file = BlockFile(text, self.name)
        there = {instance.guid: instance for instance in file.instances()}
        for wanted in self.instances:
            found = there.pop(wanted.guid, None)
            if found is None or not _is_same(found, wanted):
                return f"{cell_text(wanted.guid)} would {'be missing' if found is None else 'stand elsewhere'}"
        if there:
            return f"{cell_text(min(there))} would be there"
        if {(link.parent, link.child) for link in file.links()} != self.links:
            return "its links would differ"
        return ""


def _is_same(one: Instance, other: Instance) -> bool:
    had, has = ((*each.place.origin, *each.place.rotation) for each in (one, other))
    numbers = all(abs(a - b) <= RELATIVE * abs(b) + ABSOLUTE for a, b in zip(had, has, strict=True))
    ids = [(each.wcid, each.place.cell_id, each.is_link_child) for each in (one, other)]
    return numbers and ids[0] == ids[1]


@dataclass
class _Sheet:
    """A file, or the rows of a landblock as one."""

    name: str
    block_id: int
    path: Path | None
    before: str
    is_new: bool
    file: BlockFile
    instances: dict[int, Instance]
    links: list[tuple[int, int]]
    after: dict[int, Instance] = field(default_factory=dict)
    """As it is to be; `links` become so while the changes are made."""


@dataclass(frozen=True)
class _Addition:
    key: int
    wcid: int
    place: Place
    activates: tuple[int, ...]


class ServerChanges:
    """Collects changes, then makes the files. Ids of things are those that the world has; `used` are all of them.

    Every method raises a WorldError for a file that cannot be read, or a thing that it does not have.
    """

    def __init__(self, data: ServerData, modified: str = "", used: Collection[int] = ()) -> None:
        self._data = data
        self._modified = modified
        self._used = set(used)
        self._sheets: dict[Path | int, _Sheet] = {}
        self._moved: dict[int, tuple[_Sheet, Place]] = {}
        self._removed: dict[int, _Sheet] = {}
        self._added: list[_Addition] = []
        self._classes: dict[int, int] = {}
        """The classes of things by their ids before and after."""
        self.new_ids: dict[int, int] = {}
        """Of things that are new or leave their landblock, by the ids that they have in the world."""

    # --- what is to change

    def move(self, guid: int, block: int, at: tuple[int, Vec3] | None, rotation: Quat | None) -> bool:
        """Put a thing of a landblock into a cell, or turn it; what is None stays as it is written. Returns whether that
        changes its row."""
        sheet, instance = self._find(guid, block)
        place = instance.place
        if at is not None:
            cell_id, origin = at
            stays = cell_id >> 16 == place.cell_id >> 16
            if stays and low_of(place.cell_id) == 0 and not is_env_cell(low_of(cell_id)):
                cell_id = place.cell_id  # outdoors it goes on leaving the cell to the server
            place = replace(place, cell_id=cell_id, origin=origin)
        if rotation is not None:
            place = replace(place, rotation=rotation)
        if layout.place_texts(place) == layout.place_texts(instance.place):
            return False
        self._moved[guid] = (sheet, place)
        return True

    def remove(self, guid: int, block: int) -> None:
        sheet, _ = self._find(guid, block)
        self._removed[guid] = sheet

    def add(self, key: int, wcid: int, place: Place, activates: Sequence[int] = ()) -> None:
        """A new thing, which has the id `key` in the world; it activates others, by their ids there."""
        self._sheet(place.cell_id >> 16)
        self._added.append(_Addition(key, wcid, place, tuple(activates)))

    def _find(self, guid: int, block: int) -> tuple[_Sheet, Instance]:
        sheet = self._sheet(block)
        if guid not in sheet.instances:  # it may be in the file of the landblock that its id names
            sheet = self._sheet(guid >> 12 & 0xFFFF)
        if guid not in sheet.instances:
            name = self._sheet(block).name
            raise WorldError(f"has no {cell_text(guid)} any more; reload the world first", name)
        return sheet, sheet.instances[guid]

    # --- the files

    def _sheet(self, block: int) -> _Sheet:
        path = self._data.block_file(block << 16 | 0xFFFF)
        key: Path | int = block if path is None else path
        if key not in self._sheets:
            self._sheets[key] = self._new_sheet(block, path)
        return self._sheets[key]

    def _new_sheet(self, block: int, path: Path | None) -> _Sheet:
        name = f"{block:04X}.sql" if path is None else path.name
        try:
            text = self._rows_text(block) if path is None else read_text(path, SERVER_SQL)
        except FileError as error:
            raise WorldError(error.reason, name) from error
        file = BlockFile(text, name)
        instances = {instance.guid: instance for instance in file.instances()}
        links = list(dict.fromkeys((link.parent, link.child) for link in file.links()))
        self._classes |= {guid: instance.wcid for guid, instance in instances.items()}
        self._used.update(instances, *links)
        sheet = _Sheet(name, block << 16 | 0xFFFF, path, text, path is None, file, instances, links)
        sheet.after = dict(instances)
        return sheet

    def _rows_text(self, block: int) -> str:
        """The rows of a database as a file; all of them are written, so all have the time of that."""
        content = self._data.own_block(block << 16 | 0xFFFF)
        self._classes |= {each.guid: each.wcid for each in content.instances}
        instances = [
            InstanceRow(each.guid, each.wcid, each.place, each.is_link_child, self._modified, self._name(each.wcid))
            for each in content.instances
        ]
        return layout.landblock_text(block, instances, [self._link(each.parent, each.child) for each in content.links])

    def _name(self, wcid: int) -> str:
        weenie = self._data.weenie(wcid)
        return "" if weenie is None else weenie.name

    def _link(self, parent: int, child: int) -> LinkRow:
        wcid = self._classes.get(child, 0)
        return LinkRow(parent, child, self._modified, self._name(wcid) if wcid else "", wcid)

    def files(self) -> list[ChangedFile]:
        """The changed files by their names; raises a WorldError where no id is free. Asked for once."""
        crossing = [guid for guid, (sheet, place) in self._moved.items() if self._leaves(sheet, guid, place)]
        for guid in sorted(crossing):
            sheet, place = self._moved[guid]
            self._sheet(place.cell_id >> 16)
            self._give_id(guid, sheet.instances[guid].wcid, place)
        for addition in sorted(self._added, key=lambda each: each.key):
            self._give_id(addition.key, addition.wcid, addition.place)
        taken_along = self._change_links()
        self._change_instances(taken_along)
        self._free_orphans()
        made = sorted(filter(None, map(self._changed, self._sheets.values())), key=lambda each: each.name)
        for one, other in pairwise(made):
            if one.name == other.name:
                raise WorldError("is the name of two files with landblocks that change", one.name)
        return made

    @staticmethod
    def _leaves(sheet: _Sheet, guid: int, place: Place) -> bool:
        return place.cell_id >> 16 != sheet.instances[guid].place.cell_id >> 16

    def _give_id(self, key: int, wcid: int, place: Place) -> None:
        guid = next_guid(place.cell_id >> 16, self._used)
        self._used.add(guid)
        self._classes[guid] = wcid
        self.new_ids[key] = guid

    def _change_links(self) -> dict[int, list[LinkRow]]:
        """Change the links in the files; returns those that belong to things with new ids, by these."""
        taken_along: dict[int, list[LinkRow]] = {}
        for sheet in self._sheets.values():
            for parent, child in list(sheet.links):
                new_child = self.new_ids.get(child, child)
                if parent in self._removed or child in self._removed or parent in self.new_ids:
                    sheet.file.remove_link(parent, child)
                    sheet.links.remove((parent, child))
                    if parent in self.new_ids and child not in self._removed:
                        own = self.new_ids[parent]
                        taken_along.setdefault(own, []).append(self._link(own, new_child))
                elif new_child != child:
                    sheet.file.rename_child(parent, child, new_child, self._modified)
                    sheet.links[sheet.links.index((parent, child))] = (parent, new_child)
        for addition in self._added:
            for activated in addition.activates:
                self._join(addition, activated, taken_along)
        return taken_along

    def _join(self, addition: _Addition, activated: int, taken_along: dict[int, list[LinkRow]]) -> None:
        """Link a new thing to what it activates, if that is in its landblock."""
        parent = self.new_ids.get(activated, activated)
        link = self._link(parent, self.new_ids[addition.key])
        sheet = self._sheet(addition.place.cell_id >> 16)
        if activated in self.new_ids:
            taken_along.setdefault(parent, []).append(link)
        elif activated in sheet.instances and activated not in self._removed:
            sheet.file.add_link(link)
            sheet.links.append((link.parent, link.child))

    def _change_instances(self, taken_along: dict[int, list[LinkRow]]) -> None:
        for guid, sheet in self._removed.items():
            sheet.file.remove(guid)
            del sheet.after[guid]
        children = {child for sheet in self._sheets.values() for _, child in sheet.links}
        children |= {link.child for links in taken_along.values() for link in links}
        for guid, (sheet, place) in sorted(self._moved.items()):
            instance = sheet.after[guid]
            if guid not in self.new_ids:
                sheet.file.move(guid, place, self._modified)
                sheet.after[guid] = replace(instance, place=place)
                continue
            sheet.file.remove(guid)
            del sheet.after[guid]
            is_child = instance.is_link_child and self.new_ids[guid] in children
            self._append(self.new_ids[guid], instance.wcid, place, is_child, taken_along)
        for addition in sorted(self._added, key=lambda each: each.key):
            guid = self.new_ids[addition.key]
            self._append(guid, addition.wcid, addition.place, guid in children, taken_along)

    def _append(
        self, guid: int, wcid: int, place: Place, is_child: bool, taken_along: dict[int, list[LinkRow]]
    ) -> None:
        sheet, links = self._sheet(place.cell_id >> 16), taken_along.get(guid, [])
        sheet.file.add(InstanceRow(guid, wcid, place, is_child, self._modified, self._name(wcid)), links)
        sheet.after[guid] = Instance(guid, wcid, place, is_child, "")
        sheet.links.extend((link.parent, link.child) for link in links)

    def _free_orphans(self) -> None:
        """Let things stand by themselves whose last parent was removed: nothing would place them any more."""
        children = {child for sheet in self._sheets.values() for _, child in sheet.links}
        for sheet in self._sheets.values():
            lost = {link.child for link in sheet.file.links() if link.parent in self._removed} - children
            for guid in sorted(lost & sheet.after.keys()):
                if sheet.after[guid].is_link_child:
                    sheet.file.set_link_child(guid, value=False, modified=self._modified)
                    sheet.after[guid] = replace(sheet.after[guid], is_link_child=False)

    def _changed(self, sheet: _Sheet) -> ChangedFile | None:
        after = sheet.file.text()
        if after == sheet.before:
            return None
        files = (sheet.file, BlockFile(after, sheet.name))
        old, new = (BlockContent(sheet.block_id, file.instances(), file.links()) for file in files)
        times = [
            {each.guid: {layout.MODIFIED: file.modified(each.guid)} for each in file.instances()} for file in files
        ]
        rows = tuple(block_differences(sheet.block_id, old, new, self._name, (times[0], times[1])))
        before = None if sheet.is_new else sheet.before
        instances, links = tuple(sheet.after.values()), frozenset(sheet.links)
        made = ChangedFile(sheet.name, sheet.block_id, sheet.path, before, after, rows, instances, links)
        flaw = made.flaw(after)
        if flaw:
            raise WorldError(f"cannot be changed row by row: {flaw}", sheet.name)
        return made
