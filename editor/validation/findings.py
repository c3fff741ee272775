"""What checks find."""

from __future__ import annotations

from dataclasses import dataclass, field

from editor.session.session import Selection
from engine.survey.fixes import Fix
from engine.world.faults import Fault


@dataclass
class Findings:
    """Faults with their places and fixes."""

    faults: list[Fault] = field(default_factory=list)
    places: dict[Fault, Selection] = field(default_factory=dict)
    fixes: dict[Fault, Fix] = field(default_factory=dict)

    def add(self, fault: Fault, place: Selection | None = None, fix: Fix | None = None) -> None:
        self.faults.append(fault)
        if place is not None:
            self.places[fault] = place
        if fix is not None:
            self.fixes[fault] = fix
