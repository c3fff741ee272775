"""What the compiler of the core gets wrong must not be in the core."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from bootstrap.alone import load_alone

ROOT = Path(__file__).resolve().parents[1]
CORE = sorted(load_alone(ROOT / "engine" / "_core.py").core_sources(ROOT).values())


def has_floats(value: ast.expr | None) -> bool:
    """A tuple of floats: `(0.0, -1.0)`."""
    return isinstance(value, ast.Tuple) and any(
        isinstance(node, ast.Constant) and isinstance(node.value, float) for node in ast.walk(value)
    )


@pytest.mark.parametrize("file", CORE, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_no_tuple_of_floats_is_final(file: Path) -> None:
    """mypyc 2.4.1 compiles each use of such a name into a NameError (`engine/geometry/vec.py`)."""
    body = ast.parse(file.read_text(encoding="utf-8")).body
    names = [
        ast.unparse(node.target)
        for node in body
        if isinstance(node, ast.AnnAssign) and has_floats(node.value) and "Final" in ast.unparse(node.annotation)
    ]
    assert names == []
