"""Runs the programs of the set-up with their output in a log, and turns their failures into one sentence each."""

import errno
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from bootstrap.errors import DISK_FULL, FAILED_INSTALL, NO_NETWORK, SetupError

# The words of pip, apt, the C libraries and OpenSSL for the same troubles.
_DISK_FULL = re.compile(
    r"No space left on device|Errno 28\b|Disk quota exceeded|You don't have enough free space", re.I
)
_NO_NETWORK = re.compile(
    r"(Temporary failure in name resolution|Temporary failure resolving|Name or service not known|Could not resolve"
    r"|Network is unreachable|No route to host|Connection refused|Connection timed out|Could not connect|ConnectTimeout"
    r"|ReadTimeout|Read timed out|ProxyError|SSLError|CERTIFICATE_VERIFY_FAILED|NewConnectionError|Connection reset"
    r"|RemoteDisconnected|Failed to fetch|getaddrinfo failed|WinError 100\d\d|nodename nor servname provided)",
    re.I,
)
_TOO_LONG = "Windows Long Path support"
"""What pip advises when a file cannot be made in a deep folder of Windows."""


def say(sentence: str) -> None:
    """Tell the user, on the error stream: the output of the program that starts afterwards stays clean."""
    print(f"Cellar Door: {sentence}", file=sys.stderr, flush=True)


class StepFailedError(Exception):
    """A program ended with an error; `output` is what it printed."""

    def __init__(self, program: str, output: str) -> None:
        super().__init__(program)
        self.program = program
        self.output = output


class Log:
    """The file that holds what the programs of the set-up said."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def run(self, command: list[str], environment: dict[str, str] | None = None) -> str:
        """Run the program to its end; raise StepFailedError when it fails."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with open(self.file, "a+", encoding="utf-8", errors="replace") as log:
            log.write(f"\n$ {' '.join(command)}\n")
            log.flush()
            start = log.tell()
            code = subprocess.call(
                command,
                env={**os.environ, "PYTHONIOENCODING": "utf-8", **(environment or {})},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                close_fds=False,  # it keeps the lock of the set-up for as long as it works, even when we are killed
            )
            log.seek(start)
            output = log.read()
        if code != 0:
            raise StepFailedError(Path(command[0]).name, output)
        return output

    def explain(self, what: str, output: str, folder: Path) -> SetupError:
        """The sentence for a failed step: `what` was to be done, in `folder`."""
        where = f"Everything it said is in {self.file}."
        if _DISK_FULL.search(output):
            return disk_full(what, folder)
        network = _NO_NETWORK.search(output)
        if network:
            reason = "The proxy does not answer" if "ProxyError" in output else "No network"
            return SetupError(f"{reason}: {what} failed ({network.group(1)}). {where}", NO_NETWORK)
        if _TOO_LONG in output:
            return SetupError(
                f"The names of files in {folder} become too long for Windows: {what} failed. "
                f"Move it to a shorter folder, or allow long paths. {where}",
                FAILED_INSTALL,
            )
        lines = [line.strip() for line in output.splitlines() if line.strip()]
        errors = [line for line in lines if re.match(r"(E|ERROR|Error):", line)] or lines
        last = f": {errors[-1]}" if errors else ""
        return SetupError(f"{what[0].upper()}{what[1:]} failed{last}. {where}", FAILED_INSTALL)


def disk_full(what: str, folder: Path) -> SetupError:
    """The sentence that names the disk with the least room: programs fill the folder for temporary files as well."""
    places = [folder if folder.exists() else folder.parent, Path(tempfile.gettempdir())]
    fullest = min(places, key=lambda place: shutil.disk_usage(place).free)
    free = shutil.disk_usage(fullest).free // 2**20
    return SetupError(f"The disk is full: {what} failed, with {free} MB free at {fullest}.", DISK_FULL)


def explain_os_error(error: OSError, folder: Path) -> SetupError:
    """The sentence for a file that cannot be written by the set-up itself."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return disk_full("setting up", folder)
    return SetupError(f"Setting up failed at {error.filename or folder}: {error.strerror}.", FAILED_INSTALL)
