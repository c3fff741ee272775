"""Opens a file as the window does, in a process of limited memory: `python -m tests.files.open_bounded FILE SIZE`.

It may take twelve times the size, or 512 MB for files under 5 MB, on top of the program's own memory just before it
opens anything. The last line has the outcome in a word, seconds of processor time, megabytes taken, and the message.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from editor.session.background import Job
from editor.session.loading import Request, arrive
from editor.session.session import ENGINE_ERRORS
from engine.files.cancelling import cancellable
from tests.sim.helpers.small_worlds import built, two_rooms

if sys.platform != "win32":
    import resource

MB: Final = 1 << 20
SMALL: Final = 5 * MB
SMALL_MEMORY: Final = 512 * MB
TIMES: Final = 12


def memory(what: str) -> int:
    """Bytes of address space: VmSize now, VmPeak at most so far."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith(what):
            return int(line.split()[1]) * 1024
    raise OSError(what)


def _warm_up() -> None:
    """Opens something small, so that late imports are loaded, and releases the memory that this took."""
    with tempfile.TemporaryDirectory() as scratch:
        built(two_rooms).write(Path(scratch) / "world")
        arrive(Request(f"{scratch}/world", ask=False), Job()).close()
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)


def main(name: str, size: int) -> int:
    _warm_up()
    base = memory("VmSize")
    allowed = SMALL_MEMORY if size < SMALL else TIMES * size
    resource.setrlimit(resource.RLIMIT_AS, (base + allowed, base + allowed))
    start = time.process_time()
    job = Job()
    try:
        with cancellable(job.check):
            outcome: object = arrive(Request(name, ask=False), job)
        word, said = "opened", getattr(getattr(outcome, "failure", None), "sentence", type(outcome).__name__)
    except ENGINE_ERRORS as error:
        word, said = "refused", str(error)
    except MemoryError:
        word, said = "memory", "more memory was wanted than there may be"
    seconds = time.process_time() - start
    taken = max(memory("VmPeak") - base, 0) / MB
    print(f"{word}\t{seconds:.2f}\t{taken:.0f}\t{said[:300]}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
