"""`visible`: what an eye sees, from the command line, for people, as JSON and for lists of cases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cellar_door.main import main
from engine.build import OUTDOORS, WorldBuilder, rect, walls
from tests.visibility.cases.spec_cases import blocks
from tests.visibility.helpers.screens import same_outline
from tests.visibility.helpers.small_scenes import BACK, DOOR, endless, portal, two_rooms

COTTAGE: dict[str, Any] = {
    "A": {
        "box": [0, 0, 0, 10, 10, 4],
        "seen_outside": 1,
        "stab": ["B"],
        "portals": [portal([[4, 0, 3], [6, 0, 3], [6, 0, 0], [4, 0, 0]], "OUT"), portal(DOOR, "B", 0)],
    },
    "B": {"box": [0, 10, 0, 10, 20, 4], "stab": ["A"], "portals": [portal(BACK, "A", 1)]},
}

FRONT: dict[str, Any] = {
    "poly": [[4, 0, 0], [6, 0, 0], [6, 0, 3], [4, 0, 3]],
    "side": 0,
    "to": "A",
    "back": 0,
    "stab": ["A", "B"],
}


@pytest.fixture
def scenes(tmp_path: Path) -> Path:
    """Two rooms, a loop that leads into itself, and a cottage with a front door."""
    file = tmp_path / "scenes.json"
    rooms = {"two rooms": two_rooms(), "endless": endless(), "cottage": COTTAGE}
    file.write_text(json.dumps({"viewport": [640, 480], "focal": 240, "scenes": rooms}), encoding="utf-8")
    return file


def visible(source: Path | str, *words: str) -> int:
    return main(["visible", str(source), *words])


def shown(capsys: pytest.CaptureFixture[str], source: Path | str, *words: str) -> list[str]:
    assert visible(source, *words) == 0
    return capsys.readouterr().out.splitlines()


def told(capsys: pytest.CaptureFixture[str], source: Path | str, *words: str) -> Any:
    return json.loads("\n".join(shown(capsys, source, *words, "--json")))


def refused(capsys: pytest.CaptureFixture[str], source: Path | str, *words: str) -> str:
    assert visible(source, *words) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert len(captured.err.splitlines()) == 1
    return captured.err


HERE = ("--scene", "two rooms", "--cell", "A", "--eye", "5,2,1.5")


# --- one eye


def test_people_read_the_draw_list_the_views_the_portals_and_the_guards(
    scenes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = shown(capsys, scenes, *HERE)
    assert lines[0].split() == ["root", "A", "in", "two", "rooms"]
    assert "draw list, front to back (2)" in lines
    assert any(line.split()[:4] == ["1", "B", "A.0", "1"] for line in lines)
    assert "  B: (290.00, 285.00) (350.00, 285.00) (350.00, 195.00) (290.00, 195.00)" in lines
    assert "  outside: not in view" in lines
    assert any(line.split()[:4] == ["A.0", "B", "OPEN", "followed"] for line in lines)
    assert any(line.split()[:3] == ["B.0", "A", "ENTRY"] for line in lines)
    assert lines[-1].split() == ["guards", "none"]


def test_machines_read_the_same_with_the_fields_of_a_case(scenes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = told(capsys, scenes, *HERE)
    assert data["draw"] == ["A", "B"]
    assert list(data["views"]) == ["B"]
    assert same_outline(data["views"]["B"][0], [(290, 285), (350, 285), (350, 195), (290, 195)])
    assert data["outside"] == []
    assert data["max_indist"]["B"] == pytest.approx(67.25)
    assert data["guards"] == []
    assert (data["viewport"], data["focal"]) == ([640, 480], 240)
    followed, entry = data["portals"]
    assert (followed["cell"], followed["index"], followed["to"], followed["status"]) == ("A", 0, "B", "OPEN")
    assert followed["pieces"][0]["area"] == pytest.approx(5400.0)
    assert (entry["cell"], entry["status"], entry["pieces"]) == ("B", "ENTRY", [])
    assert (followed["fate"], entry["fate"]) == ("followed", "the way in")


def test_the_screen_can_be_chosen(scenes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = told(capsys, scenes, *HERE, "--size", "320x200", "--focal", "100")
    assert (data["viewport"], data["focal"]) == ([320, 200], 100)
    assert same_outline(data["views"]["B"][0], [(147.5, 118.75), (172.5, 118.75), (172.5, 81.25), (147.5, 81.25)])


def test_an_eye_in_a_portals_plane_sees_through_it_but_not_in_retail(
    scenes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--scene", "two rooms", "--cell", "A", "--eye", "5,10,1.5")
    assert told(capsys, scenes, *words)["draw"] == ["A", "B"]
    data = told(capsys, scenes, *words, "--no-robust")
    assert (data["draw"], data["portals"][0]["status"]) == (["A"], "IN_PLANE")
    (row,) = [line for line in shown(capsys, scenes, *words, "--no-robust") if line.split()[:1] == ["A.0"]]
    assert "the eye is in its plane  in plane" in row


def test_guards_that_were_hit_are_told(scenes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--scene", "endless", "--cell", "A", "--eye", "5,5,1.5")
    assert any(line.startswith("guard   views dropped") for line in shown(capsys, scenes, *words))
    guards = told(capsys, scenes, *words, "--no-containment", "--no-robust")["guards"]
    assert guards
    assert not any("dropped" in line for line in guards)


def test_a_room_beyond_the_stab_list_shows_when_the_list_is_ignored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rooms = two_rooms()
    rooms["A"]["stab"] = []
    file = tmp_path / "scene.json"
    file.write_text(json.dumps({"scenes": {"only": rooms}}), encoding="utf-8")
    words = ("--cell", "A", "--eye", "5,2,1.5")
    assert told(capsys, file, *words)["portals"][0]["status"] == "NO_SLOT"
    data = told(capsys, file, *words, "--ignore-stab-list")
    assert (data["draw"], data["beyond_stab_list"]) == (["A", "B"], ["B"])
    assert any("not in the stab list: B" in line for line in shown(capsys, file, *words, "--ignore-stab-list"))


def test_the_landscape_can_be_left_whole(scenes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--scene", "cottage", "--cell", "A", "--eye", "5,8,1.5", "--heading", "180")
    assert told(capsys, scenes, *words)["outside"][0] != told(capsys, scenes, *words, "--whole-landscape")["outside"][0]
    whole = told(capsys, scenes, *words, "--whole-landscape")["outside"]
    assert same_outline(whole[0], [(0, 480), (640, 480), (640, 0), (0, 0)])


def test_the_root_may_be_the_room_that_the_eye_is_in(scenes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--scene", "two rooms", "--cell", "A", "--eye", "5,12,1.5")
    pinned = told(capsys, scenes, *words)
    assert (pinned["root"], pinned["draw"], pinned["note"]) == ("A", ["A"], "the eye is outside of A")
    viewer = told(capsys, scenes, *words, "--root-mode", "viewer", "--heading", "180")
    assert (viewer["root"], viewer["draw"], viewer["note"]) == ("B", ["B", "A"], "")
    nowhere = ("--scene", "two rooms", "--cell", "A", "--eye", "5,-90,1.5", "--root-mode", "viewer")
    assert "no loaded cell contains the eye" in refused(capsys, scenes, *nowhere)


def test_points_may_begin_with_a_minus(scenes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = told(capsys, scenes, "--scene", "two rooms", "--cell", "A", "--eye", "-1,-2.5,1", "--pitch", "-20")
    assert (data["eye"], data["pitch"]) == ([-1.0, -2.5, 1.0], -20.0)


# --- other worlds


def test_a_room_of_the_demo_world_shows_its_neighbours_by_their_ids(capsys: pytest.CaptureFixture[str]) -> None:
    data = told(capsys, "demo", "--cell", "0xC95B0104", "--eye", "62.6,113.6,21.4", "--heading", "98")
    assert data["draw"][0] == "0xC95B0104"
    assert all(cell.startswith("0xC95B01") for cell in data["draw"])
    assert data["viewport"] == [1280, 800]


def test_an_eye_on_the_street_looks_through_the_portals_of_the_houses(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--cell", "0xC95BFFFF", "--eye", "100,80,25", "--heading", "20")
    data = told(capsys, "demo", *words)
    assert (data["root"], data["draw"]) == ("0xC95B0024", [])
    seen = [look for look in data["apertures"] if not look["rejected"]]
    assert seen
    for look in seen:
        assert len(look["punch"]) >= 3
        assert look["draw"][0] in look["views"]
    assert {look["reason"] for look in data["apertures"] if look["rejected"]} <= {"WRONG_SIDE", "CLIPPED", "SLIVER"}
    lines = shown(capsys, "demo", *words)
    assert any(line.startswith(f"building portal {seen[0]['aperture']} -> ") for line in lines)
    assert any("nothing, seen from behind" in line for line in lines)
    assert not any(line.lstrip().startswith("outside:") for line in lines)


def test_an_eye_on_the_street_that_looks_away_sees_no_building(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--cell", "0xC95BFFFF", "--eye", "100,80,25", "--pitch", "89")
    assert not [look for look in told(capsys, "demo", *words)["apertures"] if not look["rejected"]]


# --- lists of cases


def run_list(capsys: pytest.CaptureFixture[str], source: Path | str, cases: Any, folder: Path, *words: str) -> Any:
    file, out = folder / "cases.json", folder / "out.json"
    file.write_text(json.dumps(cases), encoding="utf-8")
    assert visible(source, "--cases", str(file), "--out", str(out), *words) == 0
    assert capsys.readouterr().out == ""
    return json.loads(out.read_text(encoding="utf-8"))


def test_the_cases_of_the_specification_are_answered_in_one_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "spec.json"
    source.write_text(json.dumps(blocks()[0]), encoding="utf-8")
    cases = [{**case, "robust": case["id"] not in ("D3", "D4")} for case in blocks()[1]]
    answers = run_list(capsys, source, cases, tmp_path)
    assert [answer["id"] for answer in answers] == [case["id"] for case in cases]
    for answer, case in zip(answers, cases, strict=True):
        assert answer["draw"] == case["draw"]
        assert set(answer["views"]) == set(case["views"])
        assert answer["max_indist"] == pytest.approx(case["max_indist"], rel=1e-6)
        assert answer["guards"] == []
        for name, expected in [*case["views"].items(), ("outside", case["outside"])]:
            found = answer["outside"] if name == "outside" else answer["views"][name]
            assert [same_outline(a, b) for a, b in zip(found, expected, strict=True)] == [True] * len(expected)


def test_the_look_in_cases_of_the_specification_are_answered_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "spec.json"
    source.write_text(json.dumps(blocks()[0]), encoding="utf-8")
    for answer, case in zip(run_list(capsys, source, blocks()[2], tmp_path), blocks()[2]["cases"], strict=True):
        assert answer["id"] == case["id"]
        assert answer["draw"] == ([] if case["root"] == "outdoor" else ["A"])
        for found, expected in zip(answer["apertures"], case["apertures"], strict=True):
            assert (found["aperture"], found["rejected"]) == (expected["aperture"], expected.get("rejected", False))
            if not found["rejected"]:
                assert found["draw"] == expected["draw"]
                assert same_outline(found["punch"], expected["punch"])
                for name, views in expected["views"].items():
                    assert [same_outline(a, b) for a, b in zip(found["views"][name], views, strict=True)] == [True]


def test_a_case_may_have_its_own_screen_and_mode(
    scenes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = {"id": 1, "scene": "two rooms", "root": "A", "eye": [5, 10, 1.5], "heading": 45}
    cases = [case, {**case, "robust": False}, {**case, "viewport": [320, 240], "focal": 120}]
    found, client, small = run_list(capsys, scenes, cases, tmp_path)
    assert same_outline(found["views"]["B"][0], [(0, 480), (560, 480), (560, 0), (0, 0)])
    assert client["draw"] == ["A"]
    assert same_outline(small["views"]["B"][0], [(0, 240), (280, 240), (280, 0), (0, 0)])
    assert run_list(capsys, scenes, [case], tmp_path, "--no-robust")[0]["draw"] == ["A"]


def test_a_house_is_looked_into_from_another_that_its_exit_shows(
    scenes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = {"root": "A", "eye": [5, 8, 1.5], "heading": 180, "building_shift_y": -40}
    turned = {**FRONT, "poly": list(reversed(FRONT["poly"])), "side": 0}
    cases = {
        "scene": "cottage",
        "building_portals": {"front": FRONT, "back": turned},
        "cases": [{"id": "through the door", **case}, {"id": "turned away", **case, "heading": 90}],
    }
    through, away = run_list(capsys, scenes, cases, tmp_path)
    assert len(through["outside"]) == 1
    assert [(look["aperture"], look["rejected"]) for look in through["apertures"]] == [("front", True), ("back", False)]
    assert through["apertures"][1]["draw"][0] == "A"
    assert away["outside"] == []
    assert [look["reason"] for look in away["apertures"]] == ["NO_VIEW", "NO_VIEW"]


def test_cases_may_look_into_any_world(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    room = {"id": "room", "root": "0xC95B0104", "eye": [62.6, 113.6, 21.4], "heading": 98}
    street = {"id": "street", "root": "0xC95BFFFF", "eye": [100, 80, 25], "heading": 20}
    dungeon = {"id": "dungeon", "root": "0x00070165", "eye": [19.14, -27.506, -5.573], "heading": 41}
    indoors, outdoors, closed = run_list(capsys, "demo", [room, street, dungeon], tmp_path)
    words = ("--cell", "0xC95B0104", "--eye", "62.6,113.6,21.4", "--heading", "98")
    assert indoors["draw"][0] == "0xC95B0104"
    assert indoors["outside"]
    assert indoors["apertures"] == told(capsys, "demo", *words)["apertures"]
    assert len(indoors["apertures"]) == 26
    assert "apertures" not in closed
    assert [look for look in outdoors["apertures"] if not look["rejected"]]


def test_an_answer_does_not_depend_on_where_the_eyes_before_it_were(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world = WorldBuilder()
    for number in (0x1010, 0x1011, 0x1013):  # the last one is beyond the nine landblocks around the first
        house = world.landblock(number).building("house", (96, 96), shell=[*walls(rect(0, 0, 10, 8), 0, 4, "brick")])
        house.door(house.room("room", rect(0.4, 0.4, 9.2, 7.2), height=3), OUTDOORS, at=(5, 0))
    source = world.build().write(tmp_path / "street")
    near = {"id": "near", "root": "0x1010FFFF", "eye": [101, 60, 3]}
    far = {"id": "far", "root": "0x1013FFFF", "eye": [101, 60, 3]}
    first, other, again = run_list(capsys, source, [near, far, near], tmp_path)
    assert [look["aperture"] for look in first["apertures"]] == ["0x10110025.0", "0x10100025.0"]
    assert [look["aperture"] for look in other["apertures"]] == ["0x10130025.0"]
    assert again == first


# --- what is refused


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ((), "say where the eye is"),
        (("--cell", "A"), "say where the eye is"),
        (("--cell", "A", "--eye", "1,2,3"), "holds several scenes: two rooms, endless, cottage"),
        (("--scene", "three", "--cell", "A", "--eye", "1,2,3"), "has no scene 'three'"),
        (("--scene", "two rooms", "--cell", "Z", "--eye", "1,2,3"), "has no room 'Z': A, B"),
        (("--scene", "two rooms", "--cell", "0x01010109", "--eye", "1,2,3"), "has no cell 0x01010109"),
        (("--scene", "two rooms", "--cell", "A", "--eye", "1,2"), "is not a point: write X,Y,Z"),
        (("--scene", "two rooms", "--cell", "A", "--eye", "1,2,nan"), "is nowhere"),
        ((*HERE, "--heading", "inf"), "is not an angle"),
        ((*HERE, "--pitch", "91"), "a pitch of 91 is beyond straight up or down: it goes from -90 to 90"),
        ((*HERE, "--pitch", "-1e308"), "it goes from -90 to 90"),
        ((*HERE, "--size", "640"), "is not a size: write 1280x800"),
        ((*HERE, "--size", "0x480"), "is not a number of pixels"),
        ((*HERE, "--focal", "0"), "is not a number of pixels"),
        (("--cases", "somewhere.json"), "go together"),
        (("--cases", "somewhere.json", "--out", "out.json"), "somewhere.json"),
    ],
)
def test_what_can_not_be_looked_at_is_refused_in_one_sentence(
    scenes: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], reason: str
) -> None:
    assert reason in refused(capsys, scenes, *words)


def test_a_source_that_is_not_there_is_said_before_anything_of_the_cases(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = tmp_path / "cases.json", tmp_path / "out.json"
    file.write_text(json.dumps([{"id": 1, "scene": "two rooms", "root": "A", "eye": [1, 2, 3]}]), encoding="utf-8")
    words = ("--cases", str(file), "--out", str(out))
    assert "there is no such file or folder" in refused(capsys, tmp_path / "none.json", *words)
    assert "no scenes to choose 'two rooms'" in refused(capsys, "demo", *words)


def test_only_a_file_of_scenes_has_scenes_to_choose_from(capsys: pytest.CaptureFixture[str]) -> None:
    assert "no scenes to choose 'x'" in refused(capsys, "demo", "--scene", "x", "--cell", "A", "--eye", "1,2,3")


@pytest.mark.parametrize(
    ("case", "reason"),
    [
        ({"scene": "two rooms", "root": "A", "eye": [1, 2, 3]}, "[0]: has no 'id'"),
        ({"id": 1, "scene": "two rooms", "root": "A", "eye": [1, 2, 3], "pitch": 91}, "[0].pitch: a pitch of 91"),
        ({"id": float("nan"), "scene": "two rooms", "root": "A", "eye": [1, 2, 3]}, "[0].id: cannot be told again"),
        ({"id": [float("inf")], "scene": "two rooms", "root": "A", "eye": [1, 2, 3]}, "[0].id: cannot be told again"),
        ({"id": 1, "scene": "two rooms", "root": "Z", "eye": [1, 2, 3]}, "[0].root: two rooms: has no room 'Z'"),
        ({"id": 1, "scene": "two rooms", "root": "A", "eye": [1, 2]}, "[0].eye: should have 3 entries, has 2"),
        ({"id": 1, "scene": "two rooms", "root": "A", "eye": [1, 2, float("nan")]}, "[0].eye[2]: is nowhere"),
        ({"id": 1, "scene": "two rooms", "root": "A", "eye": [1, 2, 3], "heading": "n"}, "[0].heading: should be"),
        ({"id": 1, "scene": "no", "root": "A", "eye": [1, 2, 3]}, "[0].scene: "),
        ({"id": 1, "scene": "no", "root": "A", "eye": [1, 2, 3]}, "has no scene 'no'"),
        ({"id": 1, "root": "A", "eye": [1, 2, 3]}, "[0]: "),
        ({"id": 1, "scene": "two rooms", "root": "A", "eye": [1, 2, 3], "robust": 2}, "[0].robust: should be 0 to 1"),
        (7, "[0]: should be an object, is 7"),
    ],
)
def test_a_bad_case_is_refused_with_its_location_and_the_others_are_answered(
    scenes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], case: Any, reason: str
) -> None:
    good = {"id": "good", "scene": "two rooms", "root": "A", "eye": [5, 2, 1.5]}
    file, out = tmp_path / "cases.json", tmp_path / "out.json"
    file.write_text(json.dumps([case, good]), encoding="utf-8")
    assert reason in refused(capsys, scenes, "--cases", str(file), "--out", str(out))
    bad, answered = json.loads(out.read_text(encoding="utf-8"))
    assert reason in bad["error"]
    assert (bad["id"], bad["draw"], bad["portals"]) == (1 if bad["id"] else None, [], [])
    assert answered["draw"] == ["A", "B"]
    assert "error" not in answered


def test_of_several_bad_cases_the_first_is_said_and_how_many_there_are(
    scenes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nowhere = {"id": 1, "scene": "two rooms", "root": "Z", "eye": [5, 2, 1.5]}
    file, out = tmp_path / "cases.json", tmp_path / "out.json"
    file.write_text(json.dumps([{**nowhere, "root": "A"}, nowhere, {**nowhere, "root": "Y"}]), encoding="utf-8")
    said = refused(capsys, scenes, "--cases", str(file), "--out", str(out))
    assert "[1].root: two rooms: has no room 'Z'" in said
    assert "(and 1 more of 3 cases)" in said
    assert [len(answer["draw"]) for answer in json.loads(out.read_text(encoding="utf-8"))] == [2, 0, 0]


def test_a_list_that_is_none_leaves_nothing_behind(
    scenes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = tmp_path / "cases.json", tmp_path / "out.json"
    file.write_text('[{"id": 1, "sce', encoding="utf-8")
    assert "is not JSON" in refused(capsys, scenes, "--cases", str(file), "--out", str(out))
    assert not out.exists()


def test_answers_that_can_not_be_written_are_said_so(
    scenes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "cases.json"
    file.write_text("[]", encoding="utf-8")
    assert "cannot be written" in refused(capsys, scenes, "--cases", str(file), "--out", str(tmp_path / "no" / "out"))


def test_answers_never_take_the_place_of_what_is_read(
    scenes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "cases.json"
    file.write_text("[]", encoding="utf-8")
    for read in (scenes, file):
        before = read.read_bytes()
        assert "one of the files that are read" in refused(capsys, scenes, "--cases", str(file), "--out", str(read))
        assert read.read_bytes() == before
