"""The map of a survey's report: each landblock in the colour of the worst that was found in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from editor.maps.block_map import Colour, Picture, coordinates
from editor.process.plain_text import counted
from editor.survey.report_form import Report
from engine.world.block_index import SIDE, BlockIndex
from engine.world.cells.ids import block_of, block_text, landblock_id
from engine.world.faults import Severity


@dataclass(frozen=True)
class BlockFindings:
    """How many findings a landblock has, and the severity of the worst."""

    count: int
    severity: Severity

    def with_one(self, severity: Severity) -> BlockFindings:
        return BlockFindings(self.count + 1, max(self.severity, severity))


@dataclass(frozen=True)
class FindingColours:
    """Red, green and blue of landblocks: not surveyed, nothing found, not finished, and by severity."""

    nothing: Colour
    sound: Colour
    unfinished: Colour
    by_severity: Mapping[Severity, Colour]


def index_of(report: Report) -> BlockIndex:
    """The landblocks of a report."""
    index = BlockIndex()
    index.add({landblock_id(each.id) for each in report.blocks} | {landblock_id(each.block) for each in report.found})
    return index


def findings_picture(report: Report, by_block: Mapping[int, BlockFindings], colours: FindingColours) -> Picture:
    """RGBA, one pixel for each landblock, the northernmost row first."""
    made = np.empty((SIDE, SIDE, 4), dtype=np.uint8)
    made[:, :] = (*colours.nothing, 255)

    def paint(block: int, colour: Colour) -> None:
        made[SIDE - 1 - (block & 0xFF), block >> 8, :3] = colour

    for each in report.blocks:
        paint(block_of(each.id), colours.unfinished if each.problems else colours.sound)
    for block, here in by_block.items():
        paint(block, colours.by_severity[here.severity])
    return made


def describe_findings(report_blocks: Mapping[int, tuple[str, ...]], here: BlockFindings | None, block_id: int) -> str:
    """A landblock in one line: what was found in it, and what kept its survey from being finished."""
    problems = report_blocks.get(block_of(block_id))
    if here is not None:
        what = counted(here.count, "finding")
    else:
        what = "not surveyed" if problems is None else "nothing found"
    words = [block_text(block_id), what, coordinates(block_id), *(problems or ())[:1]]
    return "  ·  ".join(words)
