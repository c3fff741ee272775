"""A baseline takes known findings away, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.findings.baseline import read_baseline, without_known, write_baseline
from engine.findings.errors import FindingError
from engine.findings.finding import Found
from tests.findings.test_finding import findings

KNOWN = Found("walls.gap", 0xA9B4FFFF, 0xA9B40143, polygon=3, sentence="a gap of 3 cm # wide\nand\x1b[31m long")
NEW = Found("walls.gap", 0xA9B4FFFF, 0xA9B40144, polygon=3)


def test_known_findings_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "known.txt"
    write_baseline(file, [KNOWN])
    assert without_known([KNOWN, NEW], read_baseline(file)) == [NEW]


@pytest.mark.parametrize("by", [-0.04, 0.04])
def test_a_finding_that_moved_a_little_over_a_border_of_steps_stays_known(by: float) -> None:
    x, y, z = 10.25, 20.75, 30.25
    before = replace(KNOWN, place=(0xA9B40143, (x, y, z)))
    known = frozenset([before.key])
    for moved in ((x + by, y, z), (x, y + by, z - by), (x + by, y - by, z + by)):
        assert without_known([replace(before, place=(0xA9B40143, moved))], known) == []
    elsewhere = [replace(before, place=(0xA9B40143, (x, y + 0.8, z))), replace(before, polygon=4), KNOWN]
    assert without_known(elsewhere, known) == elsewhere


def test_the_file_says_what_each_line_is_without_control_characters(tmp_path: Path) -> None:
    file = tmp_path / "known.txt"
    write_baseline(file, [NEW, KNOWN, KNOWN])
    lines = file.read_text(encoding="utf-8").splitlines()
    assert lines[1:] == [f"{KNOWN.key}  # a gap of 3 cm # wide and?[31m long", NEW.key]


@settings(max_examples=50)
@given(found=st.lists(findings, max_size=5))
def test_a_written_baseline_has_the_key_of_each_finding(
    tmp_path_factory: pytest.TempPathFactory, found: list[Found]
) -> None:
    file = tmp_path_factory.getbasetemp() / "any.txt"
    write_baseline(file, found)
    assert read_baseline(file) == {each.key for each in found}


def test_comments_and_empty_lines_are_skipped(tmp_path: Path) -> None:
    file = tmp_path / "known.txt"
    for encoding in ("utf-8", "utf-8-sig"):
        file.write_text(f"{KNOWN.key}   # said\n\n   # all of them\n", encoding=encoding)
        assert read_baseline(file) == {KNOWN.key}


def test_a_line_that_is_no_key_is_refused_with_its_number(tmp_path: Path) -> None:
    file = tmp_path / "known.txt"
    file.write_text(f"{KNOWN.key}\nwhat is this\n", encoding="utf-8")
    with pytest.raises(FindingError, match=r"known\.txt: line 2"):
        read_baseline(file)


def test_a_baseline_that_is_missing_or_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FindingError, match="cannot be read"):
        read_baseline(tmp_path / "none.txt")
    file = tmp_path / "known.txt"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FindingError, match="not text"):
        read_baseline(file)
    with pytest.raises(FindingError):
        write_baseline(tmp_path, [KNOWN])
