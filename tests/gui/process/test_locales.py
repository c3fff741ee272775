"""Numbers and words typed by real keys into the window of a German and of a Turkish desktop."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.loaded import HUNG
from tests.world.loader.scenes import two_rooms

ROOT = Path(__file__).resolve().parents[3]
pytestmark = [pytest.mark.gui, pytest.mark.locale]

TYPE_AND_TELL = """
import json, sys
from PySide6.QtCore import QEvent, QLocale, QSettings, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDoubleSpinBox, QStackedWidget, QToolTip
from ui.window.application import create_application
from ui.window.project_actions import Projects
from ui.docks.player.player_dock import PlayerPanel
from ui.docks.world import WorldPanel
from ui.window.start import make_window

NUMBERS = ("60.5", "60,5", "-0,25", "1.234,5", "1,234.5", "123,678")
PASTED = (
    *("60,5", " 60,5 ", "1,234", "\u22123,5", "94.00000501", "1e3", "2,"),
    *("1.234,5", "1.5, 2, 3", "1, 2", "1 2", "1\u00a0234,5", "1;2", "0x10", "nan", "12abc", "9999999"),
)
COUNTS = ("12", "60,5", "60.5", "1,20", "1 2", "1e3", "0x10", "-3")
WORDS = ("0x01010100", "0X01010100", "buildings", "BUILDINGS", "buıldıngs", "BUİLDİNGS", "no such")

application = create_application(["locale"])
settings = QSettings(sys.argv[2], QSettings.Format.IniFormat)
settings.setValue("centre", "map")
window = make_window(application, settings)

def typed(box, keys):
    line = box.lineEdit()
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, keys)
    shown = line.text()
    QTest.keyClick(line, Qt.Key.Key_Return)
    return [shown, box.value(), line.text()]

def pasted(box, text):
    box.setValue(7.0)
    line = box.lineEdit()
    line.setFocus()
    line.selectAll()
    QApplication.clipboard().setText(text)
    QTest.keySequence(line, QKeySequence(QKeySequence.StandardKey.Paste))
    shown = line.text()
    QTest.keyClick(line, Qt.Key.Key_Return)
    return [shown, box.value(), line.text(), QToolTip.text()]

def found(field, rows, words):
    field.setFocus()
    field.selectAll()
    for letter in words:  # QTest's keys cover English letters only
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            event = QKeyEvent(kind, Qt.Key.Key_unknown, Qt.KeyboardModifier.NoModifier, letter)
            QApplication.sendEvent(field, event)
    return rows()

def rows():
    tree = window.docks.panel(WorldPanel).tree
    index, texts = tree.model().index(0, 0), []
    while index.isValid():
        texts.append(f"{index.data()} {index.siblingAtColumn(1).data()}")
        index = tree.indexBelow(index)
    return texts

def go():
    live = window
    dock = live.docks.dock(PlayerPanel)
    dock.show()
    dock.raise_()
    box = live.docks.panel(PlayerPanel).teleport.numbers["x"]
    above = box
    while above is not live:  # the page that it is on
        if isinstance(above.parentWidget(), QStackedWidget):
            above.parentWidget().parentWidget().setCurrentWidget(above)
        above = above.parentWidget()
    QApplication.processEvents()
    assert box.isVisible()
    dotted = [each.text() for each in window.findChildren(QDoubleSpinBox) if each.decimals()]
    told = {
        "system": QLocale.system().name(),
        "numbers": {keys: typed(box, keys) for keys in NUMBERS},
        "pasted": {text: pasted(box, text) for text in PASTED},
        "counts": {keys: typed(live.docks.panel(PlayerPanel).count, keys) for keys in COUNTS},
        "shown": sorted({text for text in dotted if text and ("." not in text or "," in text)}),
        "found": {words: found(window.docks.panel(WorldPanel).search, rows, words) for words in WORDS},
    }
    print(json.dumps(told))
    sys.stdout.flush()
    Projects.may_leave = lambda self, then: True
    application.quit()

window.session.faults_changed.connect(lambda: QTimer.singleShot(100, go))
window.show()
window.open(sys.argv[1])
sys.exit(application.exec())
"""


PASTED_NUMBERS = {
    "60,5": 60.5,
    " 60,5 ": 60.5,
    "1,234": 1.234,
    "\u22123,5": -3.5,
    "94.00000501": 94.0,
    "1e3": 1000.0,
    "2,": 2.0,
}
"""A comma is the decimal point, wherever only one stands; a minus may be a typographer's; decimals are rounded."""


def told_in(language: str, source: Path, folder: Path) -> Any:
    unwanted = ("LC_ALL", "LC_NUMERIC", "LANG", "LANGUAGE")
    kept = {name: value for name, value in os.environ.items() if name not in unwanted}
    done = subprocess.run(
        [sys.executable, "-c", TYPE_AND_TELL, str(source), str(folder / "settings.ini")],
        cwd=ROOT,
        env={**kept, "LANG": f"{language}.UTF-8", "LC_NUMERIC": f"{language}.UTF-8"},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=HUNG,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


@pytest.mark.parametrize("language", ["de_DE", "tr_TR", "fr_FR", "en_US"])
def test_numbers_and_words_mean_the_same_in_every_locale(tmp_path: Path, language: str) -> None:
    scene = tmp_path / "scene.json"
    scene.write_text(json.dumps(two_rooms()))
    told = told_in(language, scene, tmp_path)
    assert told["system"] == language, "the desktop speaks the language"
    numbers = told["numbers"]
    assert numbers["60.5"] == numbers["60,5"] == ["60.5", 60.5, "60.500"], "the comma becomes a point as it is typed"
    assert numbers["-0,25"] == ["-0.25", -0.25, "-0.250"]
    assert numbers["123,678"] == ["123.678", 123.678, "123.678"]
    assert numbers["1.234,5"] == ["1.234,5", -0.25, "-0.250"], "what means nothing brings the number before it back"
    assert numbers["1,234.5"] == ["1.234.5", -0.25, "-0.250"]
    assert told["counts"]["12"] == ["12", 12, "12"]
    for keys in ("60,5", "60.5", "1,20", "1 2", "1e3", "0x10", "-3"):
        assert told["counts"][keys] == [keys, 12, "12"], "the number before the typing, not before its last digit"
    pasted = told["pasted"]
    for text, number in PASTED_NUMBERS.items():
        shown, value, then, _ = pasted.pop(text)
        assert (value, then) == (number, f"{number:.3f}"), text
        assert "," not in shown, "the point is seen before Enter"
    for text, (shown, value, then, said) in pasted.items():
        assert (value, then) == (7.0, "7.000"), text
        assert shown.replace(".", ",") == text.replace(".", ","), "it stays as it was pasted until then"
        assert said.startswith(f"‘{shown}"), text
        assert "’ is not one number from -" in said
        assert said.endswith(": the value before it stays.")
    assert told["shown"] == [], "numbers are shown with a decimal point"
    found = told["found"]
    assert len(found["0x01010100"]) == 3
    assert found["0X01010100"] == found["0x01010100"]
    assert len(found["buildings"]) == 2
    for words in ("BUILDINGS", "buıldıngs", "BUİLDİNGS"):
        assert found[words] == found["buildings"], words
    assert found["no such"] == []
