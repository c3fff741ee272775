"""From the command line to the end: screenshots, the files they leave behind, their refusals; and quitting."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from cellar_door.main import _window_parser
from editor.places.place_text import WrittenPlace
from editor.session.loading import Request
from engine.world.faults import WorldError
from tests.gui.opening.opening_hands import write_scenes
from tests.loaded import HUNG
from tests.systems import needs_signals
from ui.window.start import request_of

ROOT = Path(__file__).resolve().parents[3]

pytestmark = pytest.mark.gui


def take(source: Path, picture: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "cellar_door", str(source), "--screenshot", str(picture), *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=HUNG)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere the system keeps the settings")
@pytest.mark.parametrize("kind", ["pipe", "device", "large"])
def test_settings_that_are_no_file_are_reported_without_waiting(house: Path, tmp_path: Path, kind: str) -> None:
    file = tmp_path / "Cellar Door" / "Cellar Door.conf"
    file.parent.mkdir()
    if kind == "pipe":
        os.mkfifo(file)
    elif kind == "device":
        file.symlink_to("/dev/zero")
    else:
        with file.open("wb") as stream:
            stream.truncate(1 << 30)
    done = subprocess.run(
        [sys.executable, "-m", "cellar_door", str(house)],
        cwd=ROOT,
        env={**os.environ, "XDG_CONFIG_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=HUNG,
    )
    said = {
        "pipe": "cannot be read: it is a pipe",
        "device": "cannot be read: it is a device",
        "large": "is larger than",
    }
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"Cellar Door: {file}: ")
    assert said[kind] in done.stderr
    assert done.stderr.endswith("; these are the window's settings; without that file they start from the defaults\n")


def test_a_screenshot_leaves_only_its_file(house: Path, tmp_path: Path) -> None:
    (tmp_path / "window.ini").write_text("[General]\ntheme=light\n")
    taken = take(house, tmp_path / "window.png")
    assert (taken.returncode, taken.stdout, taken.stderr) == (0, "", "")
    assert QImage(str(tmp_path / "window.png")).size().toTuple() == (1600, 1000)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["window.ini", "window.png"]
    assert (tmp_path / "window.ini").read_text() == "[General]\ntheme=light\n"


def test_a_screenshot_into_a_missing_folder_is_refused_in_one_sentence(house: Path, tmp_path: Path) -> None:
    picture = tmp_path / "nowhere" / "window.png"
    taken = take(house, picture)
    reason = f"{picture}: cannot be written: there is no folder {picture.parent}"
    assert (taken.returncode, taken.stdout, taken.stderr) == (2, "", f"Cellar Door: {reason}\n")
    assert not picture.parent.exists()


def test_a_screenshot_never_overwrites_its_source(house: Path, tmp_path: Path) -> None:
    source = house / "client_portal.dat"
    before = source.read_bytes()
    taken = take(house, source)
    assert taken.returncode == 2
    assert taken.stderr == f"Cellar Door: {source}: is one of the files that are read; name another one to write to\n"
    assert source.read_bytes() == before


def test_a_screenshot_of_an_unopenable_source_gives_the_reason(tmp_path: Path) -> None:
    taken = take(tmp_path / "absent", tmp_path / "window.png")
    assert taken.returncode == 2
    assert taken.stderr == "Cellar Door: absent cannot be opened: there is no such file or folder\n"


EDIT_AND_LEAVE = """
import sys
from PySide6.QtCore import QSettings
from engine.sim.edits.player import FacePlayer
from ui.window.application import create_application
from ui.window.project_actions import Projects
from ui.window.start import make_window

application = create_application(["test"])
window = make_window(application, QSettings(sys.argv[2], QSettings.Format.IniFormat))
Projects.may_leave = lambda self, then: True

def leave():
    print(window.document.edit("Face East", FacePlayer(90.0)), window.isWindowModified())
    window.close()

window.session.faults_changed.connect(leave)
window.show()
window.open(sys.argv[1])
sys.exit(application.exec())
"""


def test_quitting_after_an_edit_prints_nothing(house: Path, tmp_path: Path) -> None:
    """Quitting destroys the whole window, in whatever order Qt and Python choose."""
    command = [sys.executable, "-c", EDIT_AND_LEAVE, str(house), str(tmp_path / "settings.ini")]
    left = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=HUNG)
    assert (left.returncode, left.stdout, left.stderr) == (0, "True True\n", "")


FLOAT_AND_LEAVE = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QDialog, QDockWidget
from cellar_door.main import main
from ui.window import start

make_window = start.make_window

def made(application, settings):
    window = make_window(application, settings)

    def leave():
        for dock in window.findChildren(QDockWidget)[:4]:
            dock.setFloating(True)
            dock.show()
        QDialog(window).show()
        QTimer.singleShot(0, QApplication.quit)

    window.session.faults_changed.connect(leave)
    return window

start.make_window = made
code = main([sys.argv[1]])
print(code, len(QApplication.topLevelWidgets()))
"""


def test_quitting_leaves_no_window_to_the_exit_of_python(house: Path) -> None:
    """Whatever is open then; Qt would close it after Python has begun to take its objects apart."""
    command = [sys.executable, "-c", FLOAT_AND_LEAVE, str(house)]
    left = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=HUNG)
    assert (left.returncode, left.stdout, left.stderr) == (0, "0 0\n", "")


@needs_signals
def test_an_interrupt_during_window_creation_takes_effect(house: Path) -> None:
    script = (
        "import os, signal, sys\n"
        "from PySide6.QtCore import QTimer\n"
        "from cellar_door.main import main\n"
        "from ui.window import start\n"
        "make_window = start.make_window\n"
        "def made(application, settings):\n"
        "    QTimer.singleShot(0, lambda: os.kill(os.getpid(), signal.SIGINT))  # in a slot Qt loses what is raised\n"
        "    application.processEvents()\n"
        "    return make_window(application, settings)\n"
        "start.make_window = made\n"
        "sys.exit(main([sys.argv[1]]))\n"
    )
    command = [sys.executable, "-c", script, str(house)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=HUNG)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "Cellar Door: interrupted\n")


@needs_signals
def test_an_interrupt_ends_a_screenshot_that_waits_for_its_world(house: Path, tmp_path: Path) -> None:
    script = (
        "import os, signal, sys\n"
        "from PySide6.QtCore import QTimer\n"
        "from cellar_door.main import main\n"
        "from ui.window import start\n"
        "def show(window, request):\n"
        "    QTimer.singleShot(0, lambda: os.kill(os.getpid(), signal.SIGINT))\n"
        "start._show = show\n"
        "sys.exit(main([sys.argv[1], '--screenshot', sys.argv[2]]))\n"
    )
    command = [sys.executable, "-c", script, str(house), str(tmp_path / "window.png")]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=HUNG)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "Cellar Door: interrupted\n")
    assert list(tmp_path.iterdir()) == []


def asked(*words: str) -> Request:
    return request_of(_window_parser([]).parse_args(list(words)))


def test_the_command_line_sets_the_starting_place(house: Path) -> None:
    assert asked() == Request("demo")
    assert asked("demo", "--landblock", "0xC95B") == Request("demo", place=0xC95BFFFF)
    assert asked("demo", "--landblock", "C95BFFFF") == Request("demo", place=0xC95BFFFF)
    assert asked("demo", "--cell", "0xC95B0104") == Request("demo", place=0xC95B0104)
    at = WrittenPlace(0xC95B0104, 60.0, 105.0, 21.0)
    assert asked("demo", "--place", "@teleloc 0xC95B0104 60 105 21") == Request("demo", place=0xC95B0104, at=at)
    assert asked("demo", "--place", "28.6S 59.4E").place >> 16 == 0xC95B
    assert asked(str(house), "--scene", "hall", "--world", "demo") == Request(str(house), "hall", world="demo")
    assert not asked("demo", "--screenshot", "window.png").ask


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("demo", "--landblock", "here"), "names no landblock"),
        (("demo", "--cell", "0xC95B"), "is a landblock"),
        (("demo", "--cell", "0xC95B0050"), "is not a cell"),
        (("demo", "--place", "0xC95B0104"), "is not a place"),
        (("demo", "--place", "99N 500E"), "is not on the map"),
        (("/nowhere/at all",), "no such file"),
    ],
)
def test_an_invalid_place_is_refused_before_a_window_opens(words: tuple[str, ...], said: str) -> None:
    with pytest.raises(WorldError, match=said):
        asked(*words)


def test_a_missing_source_ends_the_program_with_a_sentence(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "cellar_door", str(tmp_path / "absent")]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=HUNG)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == f"Cellar Door: {tmp_path / 'absent'}: there is no such file or folder\n"


def test_a_screenshot_of_a_scene_needs_its_name(tmp_path: Path) -> None:
    scenes = write_scenes(tmp_path / "scenes.json", "hall", "tower")
    assert take(scenes, tmp_path / "tower.png", "--scene", "tower").returncode == 0
    without = take(scenes, tmp_path / "none.png")
    assert without.returncode == 2
    assert "name one with --scene: hall, tower" in without.stderr


def test_a_screenshot_of_a_missing_landblock_lists_the_existing_ones(house: Path, tmp_path: Path) -> None:
    taken = take(house, tmp_path / "window.png", "--landblock", "A9B4")
    assert taken.returncode == 2
    assert "has no landblock 0xA9B4FFFF; 0x0007FFFF is the only one" in taken.stderr
