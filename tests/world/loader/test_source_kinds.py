"""The table of source kinds: each is recognised by content and read once, and a new kind is one entry."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from editor.session.sources import Content, file_patterns, look_at, open_found
from engine.files.kinds import WORLD_JSON
from engine.files.reading import RegularFile
from engine.world.faults import WorldError
from engine.world.loader import open_world
from engine.world.loader.json_form import parse_json
from engine.world.loader.reproduction.content import SCENE
from engine.world.loader.scene_source import SceneSource
from engine.world.loader.source_detection import look_at_path
from engine.world.loader.source_kinds import SOURCE_KINDS, OpenOptions, SourceKind, SourcePath, kind_of
from engine.world.source import WorldSource
from tests.sim.helpers.small_worlds import two_rooms as built_rooms
from tests.world.loader.dumps import hall, side_room, write_dumps
from tests.world.loader.reproductions import file as one_file
from tests.world.loader.reproductions import holding
from tests.world.loader.scenes import two_rooms
from tests.world.loader.test_portal_scene import ROOMS

PAGE = Path(__file__).parents[3] / "docs" / "opening.md"
SQL = b"-- ACE world\nINSERT INTO `landblock` VALUES (257);\n"


def scene(folder: Path) -> Path:
    return json_file(folder, two_rooms())


def portal_scenes(folder: Path) -> Path:
    return json_file(folder, {"scenes": {"one": ROOMS, "two": ROOMS}})


def dump_folder(folder: Path) -> Path:
    return write_dumps(folder, hall(), side_room())


def dump(folder: Path) -> Path:
    return next(path for path in sorted(dump_folder(folder).iterdir()) if path.suffix == ".json")


def data_folder(folder: Path) -> Path:
    return built_rooms().build().write(folder)


def database_file(folder: Path) -> Path:
    return data_folder(folder) / "client_cell_1.dat"


def entities_file(folder: Path) -> Path:
    return data_folder(folder) / "entities.json"


def json_file(folder: Path, value: object) -> Path:
    """A JSON file whose name has no suffix."""
    file = folder / "anything"
    file.write_text(json.dumps(value), encoding="utf-8")
    return file


def reproduction(folder: Path) -> Path:
    """One whose name has no suffix, with a scene in it."""
    path = folder / "anything"
    path.write_bytes(holding(SCENE, FILE=one_file(b"x.json", json.dumps(two_rooms()).encode())))
    return path


MAKERS: dict[str, Callable[[Path], Path]] = {
    "scene": scene,
    "file of portal scenes": portal_scenes,
    "dump": dump,
    "folder of dumps": dump_folder,
    "data folder": data_folder,
    "database file": database_file,
    "entities file": entities_file,
    "reproduction": reproduction,
}


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Counter[tuple[str, int]]:
    """How often each byte of each file was read. The databases are left out: their records are read by position."""
    counted: Counter[tuple[str, int]] = Counter()
    read_at = RegularFile.read_at

    def counting(self: RegularFile, offset: int, size: int) -> bytes:
        found = read_at(self, offset, size)
        if not self.file.endswith(".dat"):
            counted.update((Path(self.file).name, offset + index) for index in range(len(found)))
        return found

    monkeypatch.setattr(RegularFile, "read_at", counting)
    return counted


def test_every_kind_has_a_source_in_these_tests() -> None:
    assert {kind.name for kind in SOURCE_KINDS} == set(MAKERS)


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_a_source_is_recognised_as_its_kind(name: str, tmp_path: Path) -> None:
    assert kind_of(look_at_path(MAKERS[name](tmp_path))).name == name


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_opening_reads_no_byte_twice(name: str, tmp_path: Path, reads: Counter[tuple[str, int]]) -> None:
    path = MAKERS[name](tmp_path)
    reads.clear()
    with open_world(path, scene="one" if name == "file of portal scenes" else None) as world:
        assert world.landblock_ids()
    assert set(reads.values()) <= {1}


@pytest.mark.parametrize("name", ["scene", "file of portal scenes", "dump", "folder of dumps", "reproduction"])
def test_a_file_that_the_editor_has_detected_is_not_read_again(
    name: str, tmp_path: Path, reads: Counter[tuple[str, int]]
) -> None:
    path = MAKERS[name](tmp_path)
    reads.clear()
    found = look_at(str(path))
    with open_found(found, found.scenes[0] if found.scenes else None) as world:
        assert world.landblock_ids()
    assert set(reads.values()) == {1}
    if path.is_file():
        assert len(reads) == path.stat().st_size


def ace_sql() -> SourceKind:
    """A kind as a contributor would add it: its source, how it is recognised, and its file name."""

    def opened(at: SourcePath, options: OpenOptions) -> WorldSource:
        assert at.content(WORLD_JSON) == SQL
        return SceneSource(parse_json(json.dumps(two_rooms()).encode(), str(at.path)))

    return SourceKind("ACE SQL file", "INSERT INTO", lambda at: b"INSERT INTO" in at.begin, opened, ("*.sql",))


def test_a_new_kind_is_one_entry(tmp_path: Path, reads: Counter[tuple[str, int]]) -> None:
    file = tmp_path / "world.sql"
    file.write_bytes(SQL)
    with pytest.raises(WorldError, match="has an unknown format"):
        look_at(str(file))
    assert "*.sql" not in file_patterns()
    SOURCE_KINDS.append(ace_sql())
    try:
        reads.clear()
        found = look_at(str(file))
        with open_found(found) as world:
            assert world.landblock_ids()
        assert found.content is Content.WORLD
        assert set(reads.values()) == {1}
        assert "*.sql" in file_patterns()
        other = tmp_path / "notes.txt"
        other.write_text("words")
        with pytest.raises(WorldError, match=r"\*\.sql"):
            look_at(str(other))
    finally:
        SOURCE_KINDS.pop()


def test_the_page_about_opening_names_every_kind() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert [kind.name for kind in SOURCE_KINDS if kind.name not in page] == []
    assert [pattern for pattern in file_patterns() if pattern.removeprefix("*") not in page] == []
