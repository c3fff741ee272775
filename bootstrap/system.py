"""Finds the system's libraries and programs that the program needs, and installs the Debian packages that hold them.

Debian and Ubuntu are served by apt-get; on other Linux systems the missing things are named. On Windows and macOS Qt
brings along all it needs, and there is always a display. The list is what the libraries of
PySide6-Essentials 6.11 ask for (`objdump -p`), tried on bare Debian 12 and 13 and Ubuntu 22.04.
"""

import ctypes
import importlib.util
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from bootstrap.compiler import can_compile, find_compiler, has_headers
from bootstrap.errors import MISSING_PACKAGES, SetupError
from bootstrap.steps import Log, StepFailedError, say

DRAWING = "Qt's drawing"
WINDOWS = "Qt's windows"
TESTS = "a display for the tests"
DATABASE = "a database server for the tests"
ENVIRONMENT = "the environment in .venv"
COMPILING = "the compiled core, ten times faster and more"

LIBRARIES = (
    ("libglib-2.0.so.0", "libglib2.0-0", DRAWING),
    ("libGL.so.1", "libgl1", DRAWING),
    ("libEGL.so.1", "libegl1", DRAWING),
    ("libxkbcommon.so.0", "libxkbcommon0", DRAWING),
    ("libdbus-1.so.3", "libdbus-1-3", DRAWING),
    ("libfontconfig.so.1", "libfontconfig1", DRAWING),
    ("libX11-xcb.so.1", "libx11-xcb1", WINDOWS),
    ("libxcb-cursor.so.0", "libxcb-cursor0", WINDOWS),
    ("libxcb-icccm.so.4", "libxcb-icccm4", WINDOWS),
    ("libxcb-image.so.0", "libxcb-image0", WINDOWS),
    ("libxcb-keysyms.so.1", "libxcb-keysyms1", WINDOWS),
    ("libxcb-randr.so.0", "libxcb-randr0", WINDOWS),
    ("libxcb-render-util.so.0", "libxcb-render-util0", WINDOWS),
    ("libxcb-shape.so.0", "libxcb-shape0", WINDOWS),
    ("libxcb-shm.so.0", "libxcb-shm0", WINDOWS),
    ("libxcb-sync.so.1", "libxcb-sync1", WINDOWS),
    ("libxcb-xfixes.so.0", "libxcb-xfixes0", WINDOWS),
    ("libxcb-xkb.so.1", "libxcb-xkb1", WINDOWS),
    ("libxkbcommon-x11.so.0", "libxkbcommon-x11-0", WINDOWS),
)
PROGRAMS = (("Xvfb", "xvfb", TESTS), ("xauth", "xauth", TESTS))
# The programs alone: the package mariadb-server would let a service run.
WANTED_PROGRAMS = (
    ("mariadbd", "mariadb-server-core", DATABASE),
    ("mariadb", "mariadb-client-core", DATABASE),
)
SERVICES = "/usr/sbin:/usr/local/sbin"
"""Where programs are that a user's own path does not name."""

LOADER_CACHE = Path("/etc/ld.so.cache")


@dataclass(frozen=True)
class Need:
    """Something the machine lacks, the Debian package that brings it, and what it is for."""

    thing: str
    package: str
    purpose: str


def missing_needs() -> list[Need]:
    """The packages that the program requires and the system lacks. Fast, for it runs at every start."""
    needs = _missing_libraries(DRAWING) + (_missing_libraries(WINDOWS) if _has_display() else [])
    if importlib.util.find_spec("ensurepip") is None or importlib.util.find_spec("venv") is None:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        needs.append(Need(f"the venv module of Python {version}", f"python{version}-venv", ENVIRONMENT))
    return needs


def display_needs(tests: bool) -> list[Need]:
    """The missing packages for windows on a display. Where there is none, windows are drawn into memory."""
    needs = _missing_libraries(WINDOWS) if not _has_display() else []
    if tests and sys.platform.startswith("linux"):
        needs += [Need(*program) for program in PROGRAMS if shutil.which(program[0]) is None]
    return needs


def _has_display() -> bool:
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _missing_libraries(purpose: str) -> list[Need]:
    if not sys.platform.startswith("linux"):
        return []
    cache = LOADER_CACHE.read_bytes() if LOADER_CACHE.is_file() else b""
    libraries = [Need(*library) for library in LIBRARIES if library[2] == purpose]
    return [need for need in libraries if not _has_library(need.thing, cache)]


def _has_library(name: str, cache: bytes) -> bool:
    if name.encode() + b"\0" in cache:
        return True
    try:  # the cache does not know of LD_LIBRARY_PATH, and some systems have none
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def wanted_needs(tests: bool = False) -> list[Need]:
    """The missing packages that compiling the core needs, and some of the tests; all else runs without them."""
    if not sys.platform.startswith("linux"):
        tools = "Microsoft's C++ Build Tools" if sys.platform == "win32" else "Apple's tools (xcode-select --install)"
        return [] if can_compile() else [Need(tools, "", COMPILING)]
    path = os.pathsep.join((os.environ.get("PATH", os.defpath), SERVICES))
    needs = [Need(*program) for program in WANTED_PROGRAMS if tests and shutil.which(program[0], path=path) is None]
    if find_compiler() is None:
        needs += [Need("a C compiler", "gcc", COMPILING), Need("the C library's headers", "libc6-dev", COMPILING)]
    if not has_headers():
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        needs.append(Need(f"the headers of Python {version}", f"python{version}-dev", COMPILING))
    return needs


def installable(needs: list[Need]) -> list[Need]:
    """Without the packages for Debian's own Python when another Python runs this: they would bring it nothing."""
    return needs if sys.base_prefix == "/usr" else [need for need in needs if not need.package.startswith("python")]


def has_apt() -> bool:
    return sys.platform.startswith("linux") and shutil.which("apt-get") is not None


def can_install() -> bool:
    return sys.platform != "win32" and has_apt() and os.geteuid() == 0


def install_line(needs: list[Need]) -> str:
    packages = " ".join(need.package for need in needs)
    return f"sudo apt-get update && sudo apt-get install -y --no-install-recommends {packages}"


def described(needs: list[Need]) -> str:
    """The needs by purpose: `Qt's drawing (libgl1 libegl1), the tests (xvfb)`."""
    purposes: dict[str, list[str]] = {}
    for need in needs:
        purposes.setdefault(need.purpose, []).append(need.package if has_apt() else need.thing)
    return ", ".join(f"{purpose} ({' '.join(names)})" for purpose, names in purposes.items())


def ensure_system(tests: bool, log: Log) -> None:
    """Install what is missing, or raise a SetupError with exactly what the user has to do."""
    missing, wanted = missing_needs(), installable(display_needs(tests) + wanted_needs(tests))
    if can_install():
        if missing:
            _apt_install(installable(missing), log)
            missing = missing_needs()
        for purpose in dict.fromkeys(need.purpose for need in wanted):
            try:
                _apt_install([need for need in wanted if need.purpose == purpose], log)
            except SetupError as error:
                say(f"{error} The program runs without.")
    if not missing:
        return
    if installable(missing) == missing and has_apt():
        raise SetupError(
            f"Packages of the system are missing, for {described(missing)}. Run this and start again:\n"
            f"{install_line(missing + wanted)}",
            MISSING_PACKAGES,
        )
    holder = "what holds them" if sys.platform.startswith("linux") else "Python from python.org"
    raise SetupError(
        f"The system lacks {', '.join(need.thing for need in missing)}. Install {holder} and start again.",
        MISSING_PACKAGES,
    )


def _apt_install(needs: list[Need], log: Log) -> None:
    if not needs:
        return
    say(f"installing packages of the system for {described(needs)}")
    apt = ["apt-get", "-o", "DPkg::Lock::Timeout=120", "-q"]
    install = [*apt, "install", "-y", "--no-install-recommends", *(need.package for need in needs)]
    environment = {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C"}
    try:
        try:
            log.run(install, environment)
        except StepFailedError:  # no package lists yet, or outdated ones
            log.run([*apt, "update"], environment)
            log.run(install, environment)
    except StepFailedError as error:
        raise log.explain("installing packages with apt-get", error.output, Path("/var/cache")) from error
