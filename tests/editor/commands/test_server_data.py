"""`--server-data`: what stands in a server's world stands in the world of every command that opens one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cellar_door.main import ERROR, main
from engine.files.server_address import PASSWORDS, VARIABLE, read_address
from engine.world.loader.entities_file import FILE_NAME, write_entities
from engine.world.server import model, rows
from tests.sim.helpers.small_worlds import built, two_rooms
from tests.world.server.furnished import Place
from tests.world.server.mariadb import PASSWORD, MariaDb
from tests.world.server.worlds import weenie_sql, write

WORLD = "world"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Two rooms whose door is in the server's data alone."""
    place = Place(built(two_rooms), tmp_path / "server")
    place.made.write(tmp_path / WORLD)
    write_entities(tmp_path / WORLD / FILE_NAME, [])
    place.weenie(412, model.DOOR, "Server Door", int={93: 8}, float={11: 2})
    place.weenie(5, model.HOOK, "Hook")
    place.instances(place.here(0, 412), place.here(1, 5), place.here(2, 99))
    return place


def said(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert main(list(words)) == code
    output = capsys.readouterr()
    return output.out if code != ERROR else output.err


def options(place: Place) -> tuple[str, ...]:
    return (str(place.folder.parent / WORLD), "--server-data", str(place.folder))


def test_doors_lists_the_servers(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    _, line = said(capsys, "doors", *options(place)).splitlines()
    assert line.split()[:3] == [f"0x{place.guid(0):08X}", "Server", "Door"]
    assert "Player" in said(capsys, "doors", *options(place), f"0x{place.guid(0):08X}")
    assert said(capsys, "doors", options(place)[0]) == "the world's list of entities has no door\n"


def test_inspect_shows_an_instance_with_its_file(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    entity = json.loads(said(capsys, "inspect", *options(place), f"0x{place.guid(0):08X}", "--json"))
    assert (entity["name"], entity["kind"], entity["extra"]["reset_interval"]) == ("Server Door", "door", 2.0)
    assert entity["source"].endswith(".sql: line 2")
    overview = json.loads(said(capsys, "inspect", *options(place), "--json"))
    assert overview["server data"]["weenies"] == 2
    block = json.loads(said(capsys, "inspect", *options(place), f"0x{place.block_id:08X}", "--json"))
    assert [entity["kind"] for entity in block["entities"]] == ["door", "object"]
    also = said(capsys, "inspect", *options(place), f"0x{place.block_id:08X}", "--json", "--server-also", "hooks")
    assert [entity["kind"] for entity in json.loads(also)["entities"]] == ["door", "hook", "object"]


def test_check_names_file_and_line(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, "inspect", *options(place), "--check", code=1).splitlines()
    assert any(".sql: line 8: weenie 99" in line and "there is no weenie 99" in line for line in lines)


def test_a_walk_meets_the_door(place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "walk.txt"
    script.write_text('wait 5t\nuse "Server Door"\nwait 30t\n', encoding="utf-8")
    start = ("--start", f"0x{place.made.cell_id('hall'):08X},4.6,2,0,90", "--script", str(script))
    recording = str(tmp_path / "walk.cdrec")
    output = said(capsys, "walk", *options(place), *start, "--record", recording)
    assert "opening" in output
    source, *server = options(place)
    assert main(["replay", recording, "--source", source]) == 0, "its server data lies beside it"
    assert main(["replay", recording, "--source", source, *server]) == 0
    place.instances(place.here(0, 412, origin=(1.0, 1.0, 0.0)))
    capsys.readouterr()
    assert main(["replay", recording, "--source", source]) == ERROR
    assert "entities" in capsys.readouterr().err


def test_an_output_file_is_never_one_of_the_servers(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    file = next(place.folder.rglob("412.sql"))
    start = ("--start", "0x1,1,1,1", "--script", "-", "--record", str(file))
    assert "is one of the files that are read" in said(capsys, "walk", *options(place), *start, code=ERROR)


def test_what_is_no_server_data_is_refused(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    source = options(place)[0]
    assert "no such file" in said(capsys, "doors", source, "--server-data", "nowhere", code=ERROR)
    assert "is empty" in said(capsys, "doors", source, "--server-data", "", code=ERROR)
    assert "it has no SQL files" in said(capsys, "doors", source, "--server-data", source, code=ERROR)
    assert "needs --server-data" in said(capsys, "doors", source, "--server-also", "hooks", code=ERROR)


def test_names_are_shown_as_plain_text(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    place.weenie(412, model.DOOR, "\x1b[31mRed\nDoor", int={93: 8})
    output = said(capsys, "doors", *options(place))
    assert "\x1b" not in output
    assert len(output.splitlines()) == 2


def test_a_running_database_serves_commands(
    place: Place, mariadb: MariaDb, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    frame = place.door.frame
    content: dict[str, list[tuple[object, ...]]] = {
        rows.INSTANCE: [(place.guid(0), 412, place.door.cell_id, *frame.origin, *frame.rotation, 0)],
        rows.WEENIE: [(412, "door", model.DOOR)],
        rows.STRING: [(412, 1, "Far \x1b[31mDoor")],
        rows.DID: [(412, 1, place.door.setup_id)],
    }
    mariadb.make("ace_commands", content)
    source = options(place)[0]
    _, line = said(capsys, "doors", source, "--server-data", mariadb.url("ace_commands")).splitlines()
    assert line.split()[:3] == [f"0x{place.guid(0):08X}", "Far", "\\u001b[31mDoor"]
    entity = json.loads(
        said(
            capsys, "inspect", source, "--server-data", mariadb.url("ace_commands"), f"0x{place.guid(0):08X}", "--json"
        )
    )
    assert entity["source"] == f"ace_commands: landblock_instance 0x{place.guid(0):08X}"
    without = mariadb.url("ace_commands", None)
    monkeypatch.setenv(VARIABLE, "wrong:sesame")
    PASSWORDS.refuse(read_address(without)[0])
    refused = said(capsys, "doors", source, "--server-data", without, code=ERROR)
    assert "the server refuses the user 'reader' with this password" in refused
    assert "sesame" not in refused
    monkeypatch.setenv(VARIABLE, PASSWORD)
    assert "Far" in said(capsys, "doors", source, "--server-data", without)


def test_a_url_that_is_no_address_is_refused_without_its_password(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["doors", options(place)[0], "--server-data", "mysql://u:sesame@host"])
    refused = capsys.readouterr().err
    assert "argument --server-data: the URL names no database; the address of one is mysql://" in refused
    assert "sesame" not in refused


def test_the_overview_tells_of_damage_in_any_landblock(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    write(place.folder / "landblocks" / "0102.sql", "INSERT INTO `landblock_instance` broken(")
    faults = json.loads(said(capsys, "inspect", *options(place), "--json"))["faults"]
    assert [fault["where"] for fault in faults if "0102.sql: line 1" in fault["reason"]] == ["0x0102FFFF"]
    assert "0102.sql: line 1" in said(capsys, "inspect", *options(place), "--check", code=1)


def test_a_patch_is_given_behind_its_base(place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    patch = tmp_path / "patch"
    models: dict[int, object] = {1: place.door.setup_id}
    write(patch / "412.sql", weenie_sql(412, model.DOOR, "Patched Door", d_i_d=models))
    assert "Patched Door" in said(capsys, "doors", *options(place), "--server-data", str(patch))
    source, _, base = options(place)
    assert "Server Door" in said(capsys, "doors", source, "--server-data", str(patch), "--server-data", base)
    overview = json.loads(said(capsys, "inspect", *options(place), "--server-data", str(patch), "--json"))
    assert overview["server data"]["name"] == "server + patch"
    assert overview["server data"]["weenies in patch"] == 1
