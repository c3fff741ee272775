"""What failed becomes one sentence with an exit code of its own; the words of pip and apt are as they were seen."""

from __future__ import annotations

import errno
import sys
from pathlib import Path

import pytest

from bootstrap.errors import DISK_FULL, FAILED_INSTALL, NO_NETWORK
from bootstrap.steps import Log, StepFailedError, explain_os_error

WORDS = {
    "WARNING: Retrying (Retry(total=1)) after connection broken by 'NewConnectionError('<pip._vendor.urllib3.connec"
    "tion.HTTPSConnection object at 0x7f>: Failed to establish a new connection: [Errno -3] Temporary failure in name "
    "resolution')': /simple/numpy/\nERROR: No matching distribution found for numpy==2.4.6": NO_NETWORK,
    "W: Failed to fetch http://deb.debian.org/debian/dists/bookworm/InRelease  Temporary failure resolving "
    "'deb.debian.org'\nE: Unable to locate package libgl1": NO_NETWORK,
    "ERROR: Could not install packages due to an OSError: [Errno 2] No such file or directory: 'C:\\deep\\folder'\n"
    "HINT: This error might have occurred since this system does not have Windows Long Path support enabled."
    "": FAILED_INSTALL,
    "connection broken by 'NewConnectionError('<...>: Failed to establish a new connection: [Errno 11001] getaddrinfo "
    "failed')'": NO_NETWORK,
    "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device": DISK_FULL,
    "E: You don't have enough free space in /var/cache/apt/archives/.": DISK_FULL,
    "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.": FAILED_INSTALL,
}


@pytest.mark.parametrize(("output", "code"), WORDS.items())
def test_the_words_of_a_failure_choose_its_exit_code(tmp_path: Path, output: str, code: int) -> None:
    error = Log(tmp_path / "setup.log").explain("installing the packages", output, tmp_path)
    assert error.code == code
    assert len(str(error).splitlines()) == 1


def test_the_sentence_of_a_failure_names_its_last_error_and_the_log(tmp_path: Path) -> None:
    log = Log(tmp_path / "setup.log")
    error = log.explain(
        "installing the packages", "Collecting numpy\nERROR: bad wheel\n\n[notice] a new pip\n", tmp_path
    )
    assert str(error) == f"Installing the packages failed: ERROR: bad wheel. Everything it said is in {log.file}."


def test_the_log_keeps_what_every_program_said(tmp_path: Path) -> None:
    log = Log(tmp_path / "build" / "setup.log")
    python = sys.executable
    log.run([python, "-c", "print('first')"])
    with pytest.raises(StepFailedError) as failure:
        log.run([python, "-c", "print('zweite Ä\\u2713'); raise SystemExit(3)"])
    assert failure.value.output == "zweite Ä\u2713\n"
    said = log.file.read_text(encoding="utf-8").replace(python, "python")
    assert said.startswith("\n$ python -c print('first')\nfirst\n\n$ python -c print(")
    assert said.endswith("\nzweite Ä\u2713\n")


def test_a_name_that_is_too_long_for_windows_is_told_with_the_remedy(tmp_path: Path) -> None:
    (output,) = (words for words in WORDS if "Long Path" in words)
    error = Log(tmp_path / "setup.log").explain("installing the packages", output, tmp_path)
    assert str(error).startswith(f"The names of files in {tmp_path} become too long for Windows: ")


def test_a_proxy_that_does_not_answer_is_no_missing_network(tmp_path: Path) -> None:
    output = "broken by 'ProxyError('Cannot connect to proxy.', NewConnectionError('...: Connection refused'))'"
    error = Log(tmp_path / "setup.log").explain("installing the packages", output, tmp_path)
    assert str(error).startswith("The proxy does not answer: installing the packages failed (ProxyError). ")
    assert error.code == NO_NETWORK


def test_a_full_disk_is_told_with_what_is_left_of_it(tmp_path: Path) -> None:
    error = explain_os_error(OSError(errno.ENOSPC, "No space left on device", "x"), tmp_path)
    assert error.code == DISK_FULL
    assert "MB free at" in str(error)


def test_a_file_that_can_not_be_written_is_named(tmp_path: Path) -> None:
    error = explain_os_error(PermissionError(errno.EACCES, "Permission denied", "/checkout/build"), tmp_path)
    assert (str(error), error.code) == ("Setting up failed at /checkout/build: Permission denied.", FAILED_INSTALL)
