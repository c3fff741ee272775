"""The Player dock's page of everything of him that is a number or a yes: sizes, skills, heading, velocity, standing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QFrame, QGridLayout, QLabel, QScrollArea, QWidget

from editor.document.document import Document
from editor.models.player import BODIES, NUMBER_LABELS, STATUS_LABELS, body_edits, body_now, number_values, speed_text
from editor.process.plain_text import plain, plain_lines
from engine.sim.edits.entities import SetVelocity
from engine.sim.edits.player import FacePlayer, SetPlayerNumber
from ui.docks.parts import action, allow, button, dim_label, gesture, number_box, put
from ui.theme.theme import BETWEEN, EDGE, GROUP

OWN_BODY: Final = "Own sizes"
BODY_TIP: Final = "Two spheres as in the client, or the sizes of old captures; captures are replayed with their own"
SMALL: Final = frozenset({"radius", "height", "sunk", "step_up", "step_down"})
"""Numbers in metres."""

VELOCITY_TIP: Final = "In metres per second; the values are used when you click Push"
HEADING: Final = "heading"
FASTEST: Final = 200.0
AXES: Final = ("x", "y", "z")

STATUS_TIPS: Final = {
    "pk": "Player killers collide with one another, and so do PK lites; other players are walked through",
    "pklite": "Collides with other PK lites",
    "impenetrable": "Collides with every player",
    "bypass": "House barriers let the player in",
}


class NumbersPage(QScrollArea):
    """Boxes that count on Enter, on their arrows, and when the focus leaves."""

    def __init__(self, document: Document, parent: QWidget) -> None:
        super().__init__(parent)
        self.document = document
        self.numbers = {
            name: number_box(self, f"player-{name}", 0.0, 99999.0, 3, 0.1 if name in SMALL else 10.0)
            for name in NUMBER_LABELS
        }
        self.body = QComboBox(self)
        self.body.setObjectName("player-body")
        self.body.setAccessibleName("Sizes of the body")
        self.body.addItems([*(plain(name) for name in BODIES), OWN_BODY])
        self.body.activated.connect(self._on_body)
        self.heading = number_box(self, "player-face", -360.0, 360.0, 2, 15.0)
        self.heading.setWrapping(True)
        self._pushing = False
        self.velocity = {axis: number_box(self, f"player-push-{axis}", -FASTEST, FASTEST, 3, 1.0) for axis in AXES}
        self.statuses: dict[str, QCheckBox] = {}
        for name, word in STATUS_LABELS.items():
            check = QCheckBox(plain(word), self)
            check.setObjectName(f"player-status-{name}")
            check.clicked.connect(lambda on, name=name: self._on_status(name, on))
            self.statuses[name] = check
        self.push_action = action(parent, "Push Player", self.push, name="player-push")
        self.speeds = QLabel(self)
        self.speeds.setObjectName("player-speeds")
        self.speeds.setProperty("dim", True)
        self.speeds.setWordWrap(True)
        for name, box in self.numbers.items():
            box.valueChanged.connect(partial(self._on_number, name))
            box.editingFinished.connect(self.refresh)
        self._gestures = {
            name: gesture(box, document) for name, box in (*self.numbers.items(), (HEADING, self.heading))
        }
        self.heading.valueChanged.connect(self._on_heading)
        for box in self.velocity.values():
            box.lineEdit().textEdited.connect(self._on_velocity)
            box.valueChanged.connect(self._on_velocity)
        document.started.connect(self._forget_velocity)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidget(self._form())

    def _form(self) -> QWidget:
        form = QWidget(self)
        grid = QGridLayout(form)
        grid.setContentsMargins(EDGE, BETWEEN, EDGE, BETWEEN)
        grid.setHorizontalSpacing(BETWEEN)
        grid.setVerticalSpacing(GROUP)
        rows: list[tuple[str, Sequence[QWidget]]] = [("Body", [self.body])]
        rows += [(NUMBER_LABELS[name], [box]) for name, box in self.numbers.items()]
        rows.append(("Heading", [self.heading]))
        rows += [(f"Velocity {axis}", [box]) for axis, box in self.velocity.items()]
        for row, (label, fields) in enumerate(rows):
            grid.addWidget(dim_label(label, form, fields[0]), row, 0)
            grid.addWidget(fields[0], row, 1)
        grid.addWidget(button(self.push_action, form, "Push"), len(rows) - 1, 2)
        for row, check in enumerate(self.statuses.values()):
            grid.addWidget(check, row, 2)
        grid.addWidget(self.speeds, len(rows), 0, 1, 3)
        grid.setColumnStretch(3, 1)
        grid.setRowStretch(len(rows) + 1, 1)
        return form

    # --- showing

    @Slot()
    def refresh(self) -> None:
        sim, why_not = self.document.seen, self.document.why_not_edit
        for field in (
            self.body,
            *self.numbers.values(),
            self.heading,
            *self.velocity.values(),
            *self.statuses.values(),
        ):
            field.setEnabled(not why_not)
            field.setToolTip(plain_lines(why_not or f"{field.accessibleName()}; press Enter to apply"))
        for box in self.velocity.values():
            box.setToolTip(plain_lines(why_not or VELOCITY_TIP))
        allow(self.push_action, why_not, "Set this velocity, in metres per second")
        self.speeds.setText(plain("" if sim is None else speed_text(sim)))
        if sim is None:
            return
        self.body.setCurrentIndex(self.body.findText(plain(body_now(sim) or OWN_BODY)))
        self.body.setToolTip(plain_lines(why_not or BODY_TIP))
        for name, value in number_values(sim).items():
            put(self.numbers[name], value)
        put(self.heading, sim.player.steered.place.turn.heading())
        for box, value in zip(self.velocity.values(), sim.player.steered.velocity, strict=True):
            if not self._pushing:
                put(box, value)
        for name, check in self.statuses.items():
            check.setChecked(sim.player.number(name) == 1.0)
            check.setToolTip(plain_lines(why_not or STATUS_TIPS[name]))

    # --- edits

    def _on_number(self, name: str, value: float) -> None:
        sim = self.document.seen
        if sim is not None and value != round(sim.player.number(name), 3):
            step = f"Set {NUMBER_LABELS[name]} to {value:g}"
            self.document.edit(step, SetPlayerNumber(name, value), drag=self._gestures[name].part())
            self.refresh()

    @Slot(int)
    def _on_body(self, place: int) -> None:
        """Give him other sizes, as one step."""
        sim, names = self.document.seen, list(BODIES)
        if sim is not None and place < len(names):
            self.document.edit(f"Set Body to {names[place]}", *body_edits(sim, names[place]))
        self.refresh()

    @Slot(float)
    def _on_heading(self, value: float) -> None:
        sim = self.document.seen
        if sim is not None and value != round(sim.player.steered.place.turn.heading(), 2):
            drag = self._gestures[HEADING].part()
            self.document.edit(f"Turn Player to {value % 360.0:g}°", FacePlayer(value), drag=drag)
            self.refresh()

    @Slot()
    def _on_velocity(self) -> None:
        """The three typed numbers stay until the push, whatever the player does meanwhile."""
        self._pushing = True

    @Slot()
    def _forget_velocity(self) -> None:
        self._pushing = False

    def push(self) -> None:
        """Let him have the velocity that is typed."""
        sim = self.document.seen
        if sim is None:
            return
        for box in self.velocity.values():
            box.interpretText()
            box.lineEdit().setModified(False)
        speed = tuple(box.value() for box in self.velocity.values())
        self._pushing = False
        self.document.edit("Push Player", SetVelocity(sim.player.id, *speed))

    def _on_status(self, name: str, on: bool) -> None:
        step = f"{'Set' if on else 'Clear'} Player Status: {STATUS_LABELS[name]}"
        self.document.edit(step, SetPlayerNumber(name, 1.0 if on else 0.0))
        self.refresh()
