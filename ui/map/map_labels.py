"""The names on the map: each stands in its room or beside its thing, and none covers another name or a mark.

What is selected comes first, then living things and doors, then rooms by their size. A name without room waits for a
closer look.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, cast

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QTransform
from PySide6.QtWidgets import (
    QGraphicsItem,
    QGraphicsScene,
    QGraphicsSimpleTextItem,
    QStyleOptionGraphicsItem,
    QWidget,
)

from editor.process.plain_text import plain
from ui.theme.theme import Colours, mono_font

FROM_SCALE: Final = 5.0
"""Pixels per metre from which anything is named."""
GAP: Final = 2.0
"""Pixels between a name and what is beside it."""
PLATE_ALPHA: Final = 205
ROUND: Final = 3.0
SIDE_ROOM: Final = 3.0
"""Pixels between a name and the edge of its plate."""


class PlateLabel(QGraphicsSimpleTextItem):
    """A name on a plate, of one size at any zoom. `anchor` is its place on the map; it does not take the mouse."""

    def __init__(self, text: str, anchor: QPointF, colour: str, colours: Colours) -> None:
        super().__init__(plain(text))
        self.short = ""
        """What is written where the whole has no room."""
        self._whole = self.text()
        font = mono_font(11)
        font.setStyleStrategy(QFont.StyleStrategy.PreferAntialias)
        self.setFont(font)
        self.setBrush(QColor(colour))
        self.setPos(anchor)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.setVisible(False)
        self._plate = QColor(colours.window)
        self._plate.setAlpha(PLATE_ALPHA)

    def boundingRect(self) -> QRectF:
        return super().boundingRect().adjusted(-SIDE_ROOM, 0.0, SIDE_ROOM, 0.0)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._plate)
        painter.drawRoundedRect(self.boundingRect(), ROUND, ROUND)
        super().paint(painter, option, cast(QWidget, widget))  # Qt takes None; its stubs do not

    def forms(self) -> list[str]:
        """What may be written, the whole first."""
        return list(dict.fromkeys([self._whole, self.short or self._whole]))

    def move_to(self, corner: QPointF) -> None:
        """Place the plate's upper left corner, in pixels from the anchor."""
        box = self.boundingRect()
        self.setTransform(QTransform.fromTranslate(corner.x() - box.left(), corner.y() - box.top()))


@dataclass
class _Named:
    label: PlateLabel
    key: object
    rank: float
    """Lower ones come first."""
    room: QRectF | None
    """The box of a room in scene units, inside which its name has to fit; None for a thing."""
    clear: float = 0.0
    """Pixels from the anchor of a thing to its name."""


class MapLabels:
    """The names in a scene."""

    def __init__(self, scene: QGraphicsScene, z: float) -> None:
        self._scene = scene
        self._z = z
        self._named: list[_Named] = []

    def clear(self) -> None:
        """Forget them; the scene has been emptied."""
        self._named = []

    @property
    def shown(self) -> list[PlateLabel]:
        return [named.label for named in self._named if named.label.isVisible()]

    def add_room(self, label: PlateLabel, key: object, room: QRectF) -> None:
        self._add(_Named(label, key, 1.0 / max(room.width() * room.height(), 1e-3) + 1.0, room))

    def add_thing(self, label: PlateLabel, key: object, clear: float) -> None:
        self._add(_Named(label, key, 0.0, None, clear))

    def _add(self, named: _Named) -> None:
        named.label.setZValue(self._z)
        self._scene.addItem(named.label)
        self._named.append(named)

    def arrange(
        self, scale: float, on_screen: Callable[[QPointF], QPointF], marks: Iterable[QRectF], first: object
    ) -> None:
        """Show the names for which there is room. `marks` are boxes in pixels to keep clear; `first` is the key of what
        is selected, which is named before all others."""
        taken = list(marks)
        for named in sorted(self._named, key=lambda named: (named.key != first, named.rank)):
            free = None
            if scale >= FROM_SCALE or named.key == first:
                at = on_screen(named.label.pos())
                for form in named.label.forms():
                    named.label.setText(plain(form))
                    size = named.label.boundingRect().size()
                    if named.room is None:
                        offers = _beside(size.width(), size.height(), named.clear)
                    else:
                        offers = _inside(named.room, scale, size.width(), size.height(), named.key == first)
                    free = _first_free(offers, at, size.width(), size.height(), taken)
                    if free is not None:
                        break
            named.label.setVisible(free is not None)
            if free is not None:
                named.label.move_to(free[0])
                taken.append(free[1])


def _inside(room: QRectF, scale: float, width: float, height: float, is_first: bool) -> list[QPointF]:
    """Places in a room: its middle, then farther up and down; none where a name is larger than the room. What is
    selected is named in any case, if need be above or below its room."""
    wide, high = room.width() * scale, room.height() * scale
    shifts = [0.0, -0.25 * high, 0.25 * high] if wide >= width and high >= height else []
    shifts = [shift for shift in shifts if abs(shift) + height / 2.0 <= high / 2.0]
    if is_first:
        shifts = [*(shifts or [0.0]), -(high + height) / 2.0 - GAP, (high + height) / 2.0 + GAP]
    return [QPointF(-width / 2.0, shift - height / 2.0) for shift in shifts]


def _beside(width: float, height: float, clear: float) -> list[QPointF]:
    """Places below, above, to the right and to the left of a thing."""
    return [
        QPointF(-width / 2.0, clear),
        QPointF(-width / 2.0, -clear - height),
        QPointF(clear, -height / 2.0),
        QPointF(-clear - width, -height / 2.0),
    ]


def _first_free(
    offers: Sequence[QPointF], at: QPointF, width: float, height: float, taken: Sequence[QRectF]
) -> tuple[QPointF, QRectF] | None:
    for corner in offers:
        box = QRectF(at + corner, at + corner + QPointF(width, height))
        if not any(box.adjusted(-GAP, -GAP, GAP, GAP).intersects(other) for other in taken):
            return corner, box
    return None
