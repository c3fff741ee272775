"""Finds out whether this machine can compile for the running Python."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

BUILD_TOOLS = "Microsoft.VisualStudio.Component.VC.Tools"


def find_compiler() -> str | None:
    """The C compiler that this Python was built with, or another one that is there."""
    if sys.platform == "win32":
        return _find_microsofts()
    configured = str(sysconfig.get_config_var("CC") or "").split()
    names = [os.environ.get("CC", ""), *configured[:1], "cc", "gcc", "clang"]
    found = next((name for name in names if name and shutil.which(name)), None)
    return None if found is not None and _only_offers_tools(found) else found


def _find_microsofts() -> str | None:
    """The file that prepares Microsoft's compiler, found as setuptools finds it, which only .venv has."""
    if "DISTUTILS_USE_SDK" in os.environ:  # a console of Visual Studio, which has its compiler on the path
        return shutil.which("cl")
    programs = os.environ.get("PROGRAMFILES(X86)") or os.environ.get("PROGRAMFILES") or ""
    asked = Path(programs, "Microsoft Visual Studio", "Installer", "vswhere.exe")
    if not asked.is_file():
        return None
    kind = "ARM64" if sysconfig.get_platform() == "win-arm64" else "x86.x64"
    words = ["-latest", "-prerelease", "-requires", f"{BUILD_TOOLS}.{kind}", "-property", "installationPath"]
    answer = subprocess.run(
        [str(asked), *words, "-products", "*", "-utf8"], capture_output=True, encoding="utf-8", check=False
    )
    file = Path(answer.stdout.strip(), "VC", "Auxiliary", "Build", "vcvarsall.bat")
    return str(file) if answer.stdout.strip() and file.is_file() else None


def _only_offers_tools(compiler: str) -> bool:
    """Whether it is the program in whose place macOS offers to install the command line tools."""
    if sys.platform == "darwin" and str(shutil.which(compiler)).startswith("/usr/bin/"):
        asked = ["xcode-select", "--print-path"]
        return subprocess.run(asked, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode != 0
    return False


def has_headers() -> bool:
    return Path(sysconfig.get_paths()["include"], "Python.h").is_file()


def can_compile() -> bool:
    return find_compiler() is not None and has_headers()
