"""What moves bodies, decides what is seen, or becomes bytes of a world, computes with what every system rounds alike.

ARCHITECTURE.md, promise 12: C libraries, processors and versions of Python differ in sines, powers, lengths and in the
order in which numbers are added. `engine/geometry/elementary.py` has its own; here is who may use the others.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

INEXACT = frozenset(
    [
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "atan2",
        "sinh",
        "cosh",
        "tanh",
        "asinh",
        "acosh",
        "atanh",
        "exp",
        "exp2",
        "expm1",
        "log",
        "log2",
        "log10",
        "log1p",
        "pow",
        "cbrt",
        "hypot",
        "dist",
        "sumprod",
        "erf",
        "erfc",
        "gamma",
        "lgamma",
    ]
)
"""Of `math` and `cmath`."""
INEXACT_ARRAYS = INEXACT | frozenset(
    [
        "arcsin",
        "arccos",
        "arctan",
        "arctan2",
        "arcsinh",
        "arccosh",
        "arctanh",
        "power",
        "float_power",
        "logaddexp",
        "einsum",
        "dot",
        "vdot",
        "inner",
        "matmul",
        "tensordot",
        "linalg",
        "fft",
        "convolve",
        "interp",
        "corrcoef",
        "cov",
        "polyfit",
        "polyval",
        "sinc",
    ]
)
"""Of numpy: vectors go by the processor, sums of products by the library for them."""

DRAWING = (
    "engine/render/",
    "engine/survey/",
    "engine/world/terrain_mesh.py",
    "engine/sim/reproduction/drawing.py",
    "editor/maps/",
    "editor/models/",
    "editor/pictures/",
    "editor/reports/",
    "editor/scripting/",
    "editor/validation/",
    "editor/view3d/",
)
"""Pictures, cameras, lists and findings: from them nothing goes back into a simulation but what a user chose, and that
is recorded as it was chosen."""

COUNTED = {
    "engine/build/demo/floor_plan.py": "signs",
    "engine/build/records/bsp.py": "leaves",
    "engine/build/records/cells.py": "cells",
    "engine/build/region.py": "bits",
    "engine/dat/codec/numbers.py": "only asks whether a sum is a number",
}
"""Modules that add with `sum`, and what: whole numbers."""
ADDING = (
    "engine/geometry",
    "engine/physics",
    "engine/visibility",
    "engine/entities",
    "engine/build",
    "engine/sim/tick",
    "engine/dat/codec",
    "engine/world/cells",
    "engine/world/graph",
)


def modules(*folders: str) -> list[str]:
    return sorted(file.relative_to(ROOT).as_posix() for folder in folders for file in (ROOT / folder).rglob("*.py"))


def trees(names: list[str]) -> Iterator[tuple[str, ast.AST]]:
    for name in names:
        for node in ast.walk(ast.parse((ROOT / name).read_bytes(), name)):
            yield name, node


def inexact_uses(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        if node.value.id in ("math", "cmath") and node.attr in INEXACT:
            yield f"{node.value.id}.{node.attr}"
        if node.value.id in ("np", "numpy") and node.attr in INEXACT_ARRAYS:
            yield f"np.{node.attr}"
    elif isinstance(node, ast.ImportFrom) and node.module in ("math", "cmath", "numpy"):
        yield from (f"from {node.module} import {name.name}" for name in node.names if name.name in INEXACT_ARRAYS)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        yield "@"
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and not _is_exact_power(node):
        yield "**"


def _is_exact_power(node: ast.BinOp) -> bool:
    """A power of two of whole exponent, or one of whole numbers, which Python multiplies itself."""
    base, exponent = node.left, node.right
    if isinstance(base, ast.Constant) and base.value in (2, 2.0):
        return not isinstance(exponent, ast.Constant) or isinstance(exponent.value, int)
    return isinstance(base, ast.Name) and base.id.isupper()


def test_only_what_draws_uses_the_functions_that_differ() -> None:
    checked = [name for name in modules("engine", "editor") if not name.startswith(DRAWING)]
    assert len(checked) > 400
    found = [
        f"{name}:{getattr(node, 'lineno', 0)} {use}" for name, node in trees(checked) for use in inexact_uses(node)
    ]
    assert found == []


def test_the_core_and_the_builder_add_floats_in_order() -> None:
    """Python 3.12 adds floats otherwise than 3.11: `plain_sum` does not."""
    found = {
        name
        for name, node in trees(modules(*ADDING))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "sum"
    }
    assert found == set(COUNTED)


@pytest.mark.parametrize(
    ("text", "uses"),
    [
        ("math.sin(x)", ["math.sin"]),
        ("from math import atan2", ["from math import atan2"]),
        ("np.linalg.norm(x)", ["np.linalg"]),
        ("a @ b", ["@"]),
        ("size**6", ["**"]),
        ("2.0**-32", []),
        ("math.sqrt(x) + math.floor(x)", []),
    ],
)
def test_the_check_sees_them(text: str, uses: list[str]) -> None:
    assert [use for node in ast.walk(ast.parse(text)) for use in inexact_uses(node)] == uses
