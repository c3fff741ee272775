"""A process that only calculates knows its own memory, and is not held up by the search for cycles."""

from __future__ import annotations

import subprocess
import sys

import pytest

LARGE = 300 * 2**20


def in_a_process(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not say how much memory a process has had")
def test_the_memory_of_a_process_is_not_that_of_the_one_that_started_it() -> None:
    large = bytearray(LARGE)
    large[::4096] = b"x" * len(large[::4096])  # all of it is resident
    peak = float(in_a_process("from editor.process.memory import peak_megabytes; print(peak_megabytes())"))
    assert 5 < peak < 150
    assert len(large) == LARGE


def test_cycles_are_looked_for_seldom_and_found_all_the_same() -> None:
    code = """
import gc, weakref
from editor.process.memory import SELDOM, collect_seldom
class Node: pass
def cycle():
    node = Node()
    node.itself = node
    return weakref.ref(node)
first = cycle()
collect_seldom()
assert first() is None
second, before = cycle(), gc.get_stats()[0]["collections"]
kept = [[] for _ in range(SELDOM[0] // 2)]
assert gc.get_stats()[0]["collections"] == before
kept += [[] for _ in range(SELDOM[0])]
assert second() is None
print("done")
"""
    assert in_a_process(code) == "done\n"
