"""Finding what the system lacks, and saying or doing the right thing about it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bootstrap import system
from bootstrap.errors import MISSING_PACKAGES, SetupError
from bootstrap.steps import Log
from bootstrap.system import DATABASE, DRAWING, WINDOWS, Need, ensure_system, missing_needs

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="looks for what POSIX systems lack")

ABSENT = (
    ("libabsent-one.so.9", "libabsent-one9", DRAWING),
    ("libabsent-two.so.9", "libabsent-two9", WINDOWS),
)


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A Debian that lacks two libraries and a compiler; its user is not root."""
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(system, "LIBRARIES", ABSENT)
    monkeypatch.setattr(system, "PROGRAMS", ())
    monkeypatch.setattr(system, "WANTED_PROGRAMS", ())
    monkeypatch.setattr(system, "find_compiler", lambda: None)
    monkeypatch.setattr(system, "has_headers", lambda: True)
    monkeypatch.setattr(system, "has_apt", lambda: True)
    monkeypatch.setattr(system, "can_install", lambda: False)
    return monkeypatch


def test_this_machine_has_what_the_tests_need() -> None:
    assert missing_needs() == []
    assert system.display_needs(tests=True) == []


def test_a_library_counts_that_only_the_loader_can_find(bare: pytest.MonkeyPatch, tmp_path: Path) -> None:
    bare.setattr(system, "LIBRARIES", (("libc.so.6", "libc6", DRAWING), *ABSENT))
    bare.setattr(system, "LOADER_CACHE", tmp_path / "none")
    assert [need.package for need in missing_needs()] == ["libabsent-one9", "libabsent-two9"]


def test_a_user_is_given_the_one_line_to_run(bare: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(SetupError) as refusal:
        ensure_system(tests=False, log=Log(tmp_path / "setup.log"))
    assert refusal.value.code == MISSING_PACKAGES
    assert str(refusal.value).splitlines() == [
        "Packages of the system are missing, for Qt's drawing (libabsent-one9), Qt's windows (libabsent-two9). "
        "Run this and start again:",
        "sudo apt-get update && sudo apt-get install -y --no-install-recommends "
        "libabsent-one9 libabsent-two9 gcc libc6-dev",
    ]


def test_without_a_display_nobody_is_stopped_for_what_windows_on_one_need(
    bare: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    bare.delenv("DISPLAY")
    bare.delenv("WAYLAND_DISPLAY", raising=False)
    bare.setattr(system, "PROGRAMS", (("absent-display", "absent-display", system.TESTS),))
    assert [need.package for need in missing_needs()] == ["libabsent-one9"]
    assert [need.package for need in system.display_needs(tests=False)] == ["libabsent-two9"]
    assert [need.package for need in system.display_needs(tests=True)] == ["libabsent-two9", "absent-display"]
    bare.setattr(system, "LIBRARIES", ABSENT[1:])
    ensure_system(tests=True, log=Log(tmp_path / "setup.log"))


def test_a_missing_compiler_alone_stops_nobody(bare: pytest.MonkeyPatch, tmp_path: Path) -> None:
    bare.setattr(system, "LIBRARIES", ())
    ensure_system(tests=False, log=Log(tmp_path / "setup.log"))


def test_what_some_tests_want_is_installed_by_itself(bare: pytest.MonkeyPatch, tmp_path: Path) -> None:
    bare.setattr(system, "LIBRARIES", ())
    bare.setattr(system, "can_install", lambda: True)
    bare.setattr(system, "WANTED_PROGRAMS", (("absent-server", "absent-server-core", DATABASE),))
    installed: list[list[str]] = []

    def install(needs: list[Need], log: Log) -> None:
        installed.append([need.package for need in needs])
        raise SetupError("There is no such package.", MISSING_PACKAGES)

    bare.setattr(system, "_apt_install", install)
    ensure_system(tests=True, log=Log(tmp_path / "setup.log"))
    assert installed == [["absent-server-core"], ["gcc", "libc6-dev"]]
    assert [need.package for need in system.wanted_needs()] == ["gcc", "libc6-dev"]


def test_a_system_without_apt_is_told_the_names_of_the_libraries(bare: pytest.MonkeyPatch, tmp_path: Path) -> None:
    bare.setattr(system, "has_apt", lambda: False)
    with pytest.raises(SetupError, match=r"The system lacks libabsent-one\.so\.9, libabsent-two\.so\.9\.") as refusal:
        ensure_system(tests=False, log=Log(tmp_path / "setup.log"))
    assert refusal.value.code == MISSING_PACKAGES


@pytest.mark.parametrize("name", ["win32", "darwin"])
def test_other_systems_are_asked_for_none_of_linux_libraries_and_no_display(
    bare: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    bare.setattr("sys.platform", name)
    bare.setattr(system, "can_compile", lambda: False)
    bare.setattr(system, "PROGRAMS", (("absent-display", "absent-display", ""),))
    ensure_system(tests=True, log=Log(tmp_path / "setup.log"))
    (need,) = system.wanted_needs(tests=True)
    assert ("Microsoft's C++ Build Tools" if name == "win32" else "xcode-select --install") in need.thing


@pytest.mark.parametrize("name", ["win32", "darwin"])
def test_a_python_without_venv_is_told_where_a_whole_one_is(
    bare: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    bare.setattr("sys.platform", name)
    bare.setattr(system, "can_compile", lambda: True)
    bare.setattr("importlib.util.find_spec", lambda module: None)
    with pytest.raises(SetupError, match=r"lacks the venv module of Python 3\.\d+\. Install Python from python\.org"):
        ensure_system(tests=False, log=Log(tmp_path / "setup.log"))


def test_debians_headers_are_no_use_to_another_python(monkeypatch: pytest.MonkeyPatch) -> None:
    gcc, headers = Need("a C compiler", "gcc", ""), Need("the headers of Python 3.12", "python3.12-dev", "")
    monkeypatch.setattr("sys.base_prefix", "/opt/python")
    assert system.installable([gcc, headers]) == [gcc]
    monkeypatch.setattr("sys.base_prefix", "/usr")
    assert system.installable([gcc, headers]) == [gcc, headers]
