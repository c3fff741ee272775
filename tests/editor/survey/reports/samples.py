"""Reports to write: of any size, and one whose every text tries to be something else."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Final

from editor.survey.report_form import BlockReport, Report
from engine.findings.finding import Check, Family, FixForm, Found
from engine.world.faults import Severity

HOSTILE: Final = (
    "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&lt;]]><!-- @script@ @data@ "
    "\u202egnp.exe\u2028\u0000\x1b[2J javascript:alert(3)"
)
CHECKS: Final = {
    check.id: check
    for check in (
        Check("doors.gap", "Gap beside a door", Family.DOORS, Severity.INFO, "A door leaves a gap."),
        Check("portals.apart", "Sides do not meet", Family.GEOMETRY, Severity.ERROR, "Two sides lie apart."),
        Check("stuck.pit", "Pit", Family.EXPLORE, Severity.WARNING, "A body cannot leave a place."),
    )
}


def block_at(x: int, y: int) -> int:
    return x << 24 | y << 16 | 0xFFFF


def sample(count: int, side: int = 4, seed: int = 1) -> Report:
    """So many findings in a square of landblocks, of three checks."""
    dice = random.Random(seed)
    blocks = [block_at(0xA0 + column, 0xB0 + row) for column in range(side) for row in range(side)]
    found = []
    for number in range(count):
        block, check = dice.choice(blocks), dice.choice(sorted(CHECKS))
        cell = block & 0xFFFF0000 | 0x100 + number % 50
        place = (cell, (dice.uniform(0.0, 192.0), dice.uniform(0.0, 192.0), 10.0 * (number // 50)))
        sentence = f"cell 0x{cell:08X}: portal {number % 7} lies {dice.random():.3f} m off its partner"
        figures = (("gap, m", dice.random()),)
        found.append(Found(check, block, cell, portal=number % 7, place=place, sentence=sentence, figures=figures))
    rows = [BlockReport(block, 0.5, ("check", "doors")) for block in blocks]
    return replace(Report.of("demo", (), rows, found), checks=CHECKS)


def hostile() -> Report:
    block = block_at(0xA9, 0xB4)
    found = Found(
        HOSTILE,
        block,
        0xA9B40100,
        place=(0xA9B40100, (1.0, 2.0, 3.0)),
        sentence=HOSTILE,
        figures=((HOSTILE, float("nan")), ("wide", float("inf"))),
        recording=b"</script>",
        fix=FixForm(HOSTILE, ()),
    )
    check = Check(HOSTILE, HOSTILE, Family.RENDER, Severity.ERROR, HOSTILE)
    rows = (BlockReport(block, 1.0, (HOSTILE,), (HOSTILE,)), BlockReport(0xFFFFFFFF), BlockReport(7, 1e300))
    return Report(HOSTILE, (HOSTILE,), HOSTILE, rows, (found, Found("x", 0)), 3, {HOSTILE: check})
