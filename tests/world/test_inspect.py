"""`inspect`: its output about a world, for people and as JSON, and the findings of --check."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from editor.commands.inspect import add_arguments, run
from editor.reports.inspection_text import layout, number_text, table, value_text
from engine.dat.ids import DatKind
from engine.dat.records import (
    DatRecord,
    EnvCell,
    LandBlock,
    Palette,
    RecordFrame,
    RenderSurface,
    Scene,
    Surface,
    SurfaceTexture,
    write_record,
)
from engine.dat.records.textures import BASE_IMAGE, BASE_SOLID, PixelFormat
from engine.dat.writer import write_database
from engine.geometry.frame import Frame
from engine.world.entity_spec import EntitySpec
from engine.world.faults import WorldError
from engine.world.loader.entities_file import FILE_NAME, write_entities
from engine.world.loader.names_file import write_names
from engine.world.names import NameKey
from tests.many_landblocks import write_many
from tests.shared import SHARED, needs_shared
from tests.world.loader.scenes import BLOCK, ENVIRONMENT_ID, Json, scene_records, two_rooms, write_folder

ROOT = Path(__file__).resolve().parents[2]


def inspect(*words: str | Path) -> int:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return run(parser.parse_args([str(word) for word in words]))


def as_json(capsys: pytest.CaptureFixture[str], *words: str | Path) -> Any:
    inspect(*words, "--json")
    return json.loads(capsys.readouterr().out)


def as_text(capsys: pytest.CaptureFixture[str], *words: str | Path) -> str:
    assert inspect(*words) == 0
    return capsys.readouterr().out


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    path = tmp_path / "two.json"
    path.write_text(json.dumps(two_rooms()))
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    portal, cell = scene_records(two_rooms())
    portal[0x08000001] = Surface(BASE_SOLID, None, None, 0xFF6F3916, 0.0, 0.0, 1.0)
    portal[0x04000001] = Palette(0x04000001, [0xFF000000, 0xFFFFFFFF])
    portal[0x12000001] = Scene(0x12000001, [])
    target = tmp_path / "data"
    target.mkdir()
    door = EntitySpec(0x7C95B001, "Front door", "door", 0x02000002, BLOCK | 0x100, Frame((54.0, 50.0, 20.0)), 0x10008)
    write_entities(target / FILE_NAME, [door])
    return write_folder(target, portal, cell)


# --- names


def test_a_names_file_puts_names_beside_ids_in_texts_alone(
    capsys: pytest.CaptureFixture[str], scene: Path, tmp_path: Path
) -> None:
    write_names(tmp_path / "names.json", "two", {NameKey.cell(0x01010101): "Loft"})
    text = as_text(capsys, scene, "0x01010100", "--names", tmp_path / "names.json")
    assert "0x01010101 Loft" in text
    assert as_json(capsys, scene, "0x01010101", "--names", tmp_path / "names.json")["id"] == "0x01010101"


def test_a_wrong_names_file_is_named_with_its_entry(scene: Path, tmp_path: Path) -> None:
    (tmp_path / "names.json").write_text('{"cellar_door_names": 1, "names": [5]}')
    with pytest.raises(WorldError, match=r"names\.json: names\[0\]: should be an object"):
        inspect(scene, "--names", tmp_path / "names.json")


# --- overview


def test_without_an_id_inspect_summarises_the_source(capsys: pytest.CaptureFixture[str], scene: Path) -> None:
    text = as_text(capsys, scene)
    assert "kind        scene" in text
    assert "landblocks  9" in text
    assert "  0x0101FFFF      2          1        0        0         2  land and rooms" in text
    assert "0x70000001  static  static 0  0x02000001  0x01010101  (58.000, 50.000, 20.000)" in text


def test_the_overview_of_a_folder_counts_its_records(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    data = as_json(capsys, folder)
    assert data["kind"] == "data folder"
    assert data["records"]["EnvCell"] == 2
    assert data["records"]["Environment"] == 1
    assert data["records"]["Setup"] == 2
    assert [line["id"] for line in data["landblock list"]][4] == "0x0101FFFF"
    assert [entity["name"] for entity in data["entities"]] == ["Front door"]


def test_the_overview_of_many_landblocks_is_a_page(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = write_many(tmp_path, 16, 16, hut_every=4, doors=300)
    text = as_text(capsys, folder)
    assert len(text.splitlines()) < 90
    assert "landblocks  256\n" in text
    assert "landblock list (1 to 20 of 256)" in text
    assert "entities (1 to 20 of 300)" in text
    assert "more: --from 21 for the next rows, --rows 0 for all, --find TEXT for those with a text in them" in text
    assert text.count("0x0000FFFF") == 1
    assert "land and rooms" in text


def test_the_next_rows_of_an_overview_follow_the_first(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = write_many(tmp_path, 4, 16, hut_every=4)
    seen: list[str] = []
    for first in ("1", "21", "41", "61"):
        listed = as_json(capsys, folder, "--from", first, "--rows", "20")["landblock list"]
        seen += [row["id"] for row in listed]
    assert seen == as_json(capsys, folder)["landblock list"]
    assert len(seen) == 64
    last = as_text(capsys, folder, "--from", "61")
    assert "landblock list (61 to 64 of 64)" in last
    assert "--from 81" not in last
    assert len(as_text(capsys, folder, "--rows", "0").splitlines()) < len(seen)


def test_an_overview_finds_rows_by_their_text(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = write_many(tmp_path, 16, 16, hut_every=4, doors=300)
    found = as_json(capsys, folder, "--find", "0x0A0")
    assert [row["id"] for row in found["landblock list"]] == [f"0x0A0{row:X}FFFF" for row in range(16)]
    named = as_json(capsys, folder, "--find", "door 29")["entities"]
    assert [entity["name"] for entity in named] == ["Door 29", *(f"Door {number}" for number in range(290, 300))]
    assert "landblock list  -" in as_text(capsys, folder, "--find", "nowhere")


def test_the_lists_of_a_landblock_can_be_paged_too(capsys: pytest.CaptureFixture[str], scene: Path) -> None:
    text = as_text(capsys, scene, "0x0101", "--rows", "1")
    assert "\nportals (1 to 1 of 2)\n  100 -> exit, 101\n" in text
    assert "more: --from 2 for the next rows" in text


@pytest.mark.parametrize("words", [("--from", "0"), ("--rows", "-1")])
def test_a_page_that_cannot_be_is_refused(scene: Path, words: tuple[str, str]) -> None:
    with pytest.raises(WorldError, match="--from counts rows from 1"):
        inspect(scene, *words)


# --- landblocks and cells


def test_a_landblock_lists_its_cells_and_the_portals_between_them(
    capsys: pytest.CaptureFixture[str], scene: Path
) -> None:
    text = as_text(capsys, scene, "0x0101FFFF")
    assert "\nportals (2)\n  100 -> exit, 101\n  101 -> 100\n" in text
    assert "(48.000, 48.000, 20.000)  (54.000, 54.000, 23.000)" in text
    assert "0x01010013" in text


@pytest.mark.parametrize("wanted", ["0x0101FFFF", "0x0101FFFE", "0x01010000", "0x0101", " 0x0101 "])
def test_a_landblock_has_three_ids_and_a_short_form(
    capsys: pytest.CaptureFixture[str], scene: Path, wanted: str
) -> None:
    data = as_json(capsys, scene, wanted)
    assert (data["type"], data["id"]) == ("landblock", "0x0101FFFF")
    assert data["portals"] == ["100 -> exit, 101", "101 -> 100"]


def test_a_room_lists_its_portals(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    data = as_json(capsys, folder, "0x01010100")
    assert data["type"] == "cell"
    assert data["environment"] == "0x0D000001"
    assert [(p["leads to"], p["other portal"], p["flags"]) for p in data["portals"]] == [
        ("outdoors", None, 7),
        ("0x01010101", 0, 3),
    ]
    assert data["portals"][1]["minimum"] == [54.0, 50.0, 20.0]
    assert data["stab"] == ["0x01010101"]
    assert len(data["cell tree"]["planes"]) == 6
    assert [entity["name"] for entity in data["entities"]] == ["Front door"]
    text = as_text(capsys, folder, "0x01010100")
    assert "\norigin            (48.000, 48.000, 20.000)\n" in text


def test_an_opening_that_a_polygon_closes_is_called_solid(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    scene: Json = two_rooms()
    cell = scene["cells"][1]
    cell["polys"].append({"id": len(cell["polys"]), "v": cell["portal_polys"][0]["v"], "sides": 0})
    path = tmp_path / "solid.json"
    path.write_text(json.dumps(scene))
    assert as_json(capsys, path, "0x0101FFFF")["portals"] == ["100 -> exit, 101", "101 -> 100 (solid)"]


def test_a_missing_cell_is_marked_with_a_star(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    scene: Json = two_rooms()
    del scene["cells"][1]
    path = tmp_path / "half.json"
    path.write_text(json.dumps(scene))
    assert as_json(capsys, path, "0x0101FFFF")["portals"] == ["100 -> exit, 101*"]


def test_a_land_cell_shows_its_triangles_and_building(capsys: pytest.CaptureFixture[str], scene: Path) -> None:
    data = as_json(capsys, scene, "0x01010013")
    assert [triangle["polygon"] for triangle in data["triangles"]] == [36, 37]
    assert data["building"]["portals"][0]["leads to"] == "0x01010100/0"
    assert "water        no" in as_text(capsys, scene, "0x01010013")


# --- models, materials, other records


def test_a_mesh_and_a_setup_show_their_parts_and_trees(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    land, mesh = as_json(capsys, folder, "0x01000001")  # a land cell of landblock 0x0100 has the same id
    assert land["type"] == "cell"
    assert mesh["type"] == "GfxObj"
    assert mesh["physics tree"]["polygons"] == 6
    assert mesh["record"]["id"] == "0x01000001"
    _, setup = as_json(capsys, folder, "0x02000002")
    assert setup["parts"][0]["model"] == "0x01000003"
    assert setup["parts"][0]["physics"]
    text = as_text(capsys, folder, "0x02000002")
    assert "0x01000003  yes    yes" in text
    assert "record" not in text


def test_an_environment_lists_its_structures(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    data = as_json(capsys, folder, f"0x{ENVIRONMENT_ID:08X}")
    assert [struct["cell planes"] for struct in data["structures"]] == [6, 6]
    assert "structures (2)\n  key  vertices" in as_text(capsys, folder, f"0x{ENVIRONMENT_ID:08X}")


def test_a_surface_shows_its_colour_or_picture(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    data = as_json(capsys, folder, "0x08000001")
    assert (data["type"], data["id"], data["color"]) == ("Surface", "0x08000001", "0xFF6F3916")
    assert "texture       -" in as_text(capsys, folder, "0x08000001")


def test_pictures_show_format_size_and_palette(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    portal, cell = scene_records(two_rooms())
    portal[0x08000001] = Surface(BASE_IMAGE, 0x05000001, 0, None, 0.0, 0.0, 1.0)
    portal[0x05000001] = SurfaceTexture(0x05000001, 0, 2, [0x06000001])
    portal[0x06000001] = RenderSurface(0x06000001, 6, 2, 1, PixelFormat.INDEX16, bytes(4), 0x04000001)
    portal[0x04000001] = Palette(0x04000001, [0xFF000000])
    write_folder(folder, portal, cell)
    shown = {"format": "INDEX16", "size": "2 x 1", "palette": "0x04000001"}
    for record_id in ("0x08000001", "0x05000001", "0x06000001"):
        data = as_json(capsys, folder, record_id)
        assert shown.items() <= data.items()
        assert data["id"] == record_id
        assert data.get("image", "0x06000001") == "0x06000001"
        assert data.get("decodes", True)


def test_any_other_record_is_listed_field_by_field(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    data = as_json(capsys, folder, "0x04000001")
    assert data["type"] == "Palette"
    assert len(data["colors"]) == 2
    assert as_text(capsys, folder, "0x12000001") == "type     Scene\nid       0x12000001\nobjects  -\n"


def with_the_numbers_of_places(portal: dict[int, DatRecord], cell: dict[int, DatRecord]) -> None:
    """Records in the portal database whose numbers are also those of a room, a land cell and a landblock."""
    portal[0x04000100] = Palette(0x04000100, [0xFF000000])
    portal[0x04000000] = Palette(0x04000000, [])
    portal[0x12000001] = Scene(0x12000001, [])
    room = cell[0x01010100]
    assert isinstance(room, EnvCell)
    cell[0x0400FFFF] = LandBlock(0x0400FFFF, 1, [0] * 81, [0] * 81)
    cell[0x1200FFFF] = LandBlock(0x1200FFFF, 0, [0] * 81, [0] * 81)
    cell[0x04000100] = replace(room, id=0x04000100)


@pytest.mark.parametrize(
    ("wanted", "types"),
    [
        ("0x04000100", ["cell", "Palette"]),
        ("0x12000001", ["cell", "Scene"]),
        ("0x04000000", ["landblock", "Palette"]),
    ],
)
def test_an_id_shows_the_place_and_the_portal_record_of_that_number(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, wanted: str, types: list[str]
) -> None:
    portal, cell = scene_records(two_rooms())
    with_the_numbers_of_places(portal, cell)
    shown = as_json(capsys, write_folder(tmp_path, portal, cell), wanted)
    assert [thing["type"] for thing in shown] == types
    assert shown[1]["id"] == wanted
    text = as_text(capsys, tmp_path, wanted)
    assert [line.split()[1] for line in text.splitlines() if line.startswith("type ")] == types


def test_a_record_that_several_databases_have_is_shown_from_each(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    portal, cell = scene_records(two_rooms())
    portal[0x06000001] = RenderSurface(0x06000001, 6, 1, 1, PixelFormat.A8, bytes(1))
    write_folder(tmp_path, portal, cell)
    fine = RenderSurface(0x06000001, 6, 2, 2, PixelFormat.A8, bytes(4))
    write_database(tmp_path / DatKind.HIGHRES.file_name, DatKind.HIGHRES, [(fine.id, write_record(fine))])
    shown = as_json(capsys, tmp_path, "0x06000001")
    assert [(thing["type"], thing["file"]) for thing in shown] == [
        ("RenderSurface", "client_portal.dat"),
        ("RenderSurface", "client_highres.dat"),
    ]
    assert (shown[0]["size"], shown[1]["width"]) == ("1 x 1", 2)


def test_a_record_that_cannot_be_read_is_shown_with_the_reason(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    portal, cell = scene_records(two_rooms())
    write_folder(tmp_path, portal, cell)
    broken = [(0x04000001, bytes.fromhex("01000004 05000000 FFFFFFFF"))]
    write_database(tmp_path / DatKind.PORTAL.file_name, DatKind.PORTAL, broken)
    shown = as_json(capsys, tmp_path, "0x04000001")
    assert (shown["type"], shown["id"]) == ("unreadable record", "0x04000001")
    assert "5 entries take at least 20 bytes, 4 are left" in shown["reason"]


def test_an_entity_is_found_by_its_guid(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    data = as_json(capsys, folder, "0x7C95B001")
    assert (data["type"], data["name"], data["state"]) == ("entity", "Front door", "0x00010008")


@pytest.mark.parametrize(
    ("source", "said"), [("", "the name of the world is empty"), ("x" * 300, "looked for: File name too long")]
)
def test_an_impossible_name_is_refused_with_a_message(source: str, said: str) -> None:
    with pytest.raises(WorldError, match=f"{said}$"):
        inspect(source)


def test_an_id_of_nothing_is_refused_with_a_hint(scene: Path) -> None:
    with pytest.raises(WorldError, match="nothing with the id 0x50500101; its landblocks are 0x0000FFFF"):
        inspect(scene, "0x50500101")


def test_an_invalid_id_is_refused(scene: Path) -> None:
    with pytest.raises(WorldError, match="write it as"):
        inspect(scene, "hall")


# --- checking


def test_a_sound_world_passes_the_check(capsys: pytest.CaptureFixture[str], scene: Path) -> None:
    assert inspect(scene, "--check") == 0
    assert capsys.readouterr().out == "nothing is wrong\n"


def test_warnings_alone_are_no_failure(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    assert inspect(folder, "--check") == 0
    out = capsys.readouterr().out
    assert "warning: 0x13000000 region: is missing" in out
    assert out.endswith("1 warning\n")


def broken(folder: Path) -> Path:
    """The folder with the hall's portal leading nowhere and its quaternion of length 2."""
    portal, cell = scene_records(two_rooms())
    hall = cell[BLOCK | 0x100]
    assert isinstance(hall, EnvCell)
    hall.portals[1] = replace(hall.portals[1], other_cell_id=0x177)
    hall.frame = RecordFrame((48.0, 48.0, 20.0), (2.0, 0.0, 0.0, 0.0))
    return write_folder(folder, portal, cell)


def test_errors_are_listed_and_fail_the_check(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    assert inspect(broken(folder), "--check") == 1
    out = capsys.readouterr().out
    assert "error: 0x01010100 portal link 1: leads to 0x01010177, which is not there\n" in out
    assert "error: 0x01010100 frame: the cell is turned by a quaternion of length 2.0000, not 1; brought to 1\n" in out
    assert "2 errors" in out.splitlines()[-1]
    assert len(set(out.splitlines())) == len(out.splitlines())  # each is said once


def test_a_check_of_one_cell_reports_only_that_cell(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    broken(folder)
    assert inspect(folder, "0x01010101", "--check") == 0
    assert "0x01010100 " not in capsys.readouterr().out
    assert inspect(folder, "0x01010100", "--check") == 1
    assert inspect(folder, "0x01010000", "--check") == 1


def test_a_check_is_machine_readable(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    found = as_json(capsys, broken(folder), "0x01010100", "--check")
    assert {"severity": "error", "where": "0x01010100", "what": "portal link", "index": 1}.items() <= found[1].items()


def test_the_check_finds_an_unreadable_record(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    portal, cell = scene_records(two_rooms())
    portal[0x08000001] = Palette(0x04000001, [])  # no Surface at all
    write_folder(folder, portal, cell)
    assert inspect(folder, "--check") == 1
    assert "error: 0x08000001 record" in capsys.readouterr().out


# --- the command


def test_the_command_prints_to_a_pipe_that_closes_early_without_complaint(folder: Path) -> None:
    command = f"{sys.executable} -m cellar_door inspect {folder} 0x0101FFFF | head -n 1"
    result = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.stdout == "type           landblock\n"
    assert "Traceback" not in result.stderr
    assert "BrokenPipe" not in result.stderr


def test_a_wrong_source_prints_one_sentence_and_sets_the_exit_code(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "cellar_door", "inspect", str(tmp_path / "nowhere")]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert "nowhere: there is no such file or folder" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.slow
def test_the_demo_world_passes_the_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert as_text(capsys, "demo").startswith("name        demo\n")
    assert inspect("demo", "--check") == 0
    assert capsys.readouterr().out == "nothing is wrong\n"


@needs_shared
@pytest.mark.conformance
def test_the_fixtures_print_the_portal_graph_of_their_readme(capsys: pytest.CaptureFixture[str]) -> None:
    readme = (SHARED / "fixtures" / "README.md").read_text()
    expected = readme.split("### Portal graph")[1].split("```")[1].strip().splitlines()
    assert as_json(capsys, SHARED / "fixtures", "0xA9B4FFFF")["portals"] == expected


# --- layout


def test_numbers_have_three_decimals() -> None:
    assert number_text(1.23456) == "1.235"
    assert number_text(-1e-9) == "0.000"
    assert value_text([1.0, -2.5, 0.0]) == "(1.000, -2.500, 0.000)"
    assert value_text(True) == "yes"
    assert value_text(None) == value_text([]) == "-"
    assert value_text([1, 2]) == "1, 2"


def test_tables_align_numbers_to_the_right() -> None:
    rows = [{"name": "a", "count": 5}, {"name": "longer", "count": 12345, "more": "x"}]
    assert list(table(rows)) == ["name    count  more", "a           5  -", "longer  12345  x"]


def test_long_values_are_wrapped_under_their_key() -> None:
    lines = list(layout({"key": ", ".join(["word"] * 40), "b": 1}))
    assert lines[0].startswith("key  word, word")
    assert lines[1].startswith("     word")
    assert lines[-1] == "b    1"


def test_dicts_and_tables_become_blocks() -> None:
    data = {"a": 1, "tree": {"rows": [{"x": 1}]}, "small": {"x": 1.0}}
    assert list(layout(data)) == ["a      1", "small  x 1.000", "tree", "  rows (1)", "    x", "    1"]
