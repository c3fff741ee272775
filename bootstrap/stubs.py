"""What type checkers read of an installed wheel: the signatures, with the names below `cellar_door`.

The sources say `from engine.sim import ...`. The program resolves that when it runs
(`cellar_door/own_packages.py`), and a type checker cannot. So beside each module lies a stub that says
`from cellar_door.engine.sim import ...`.
"""

import ast
from pathlib import Path

PACKAGES = ("engine", "editor")
INSIDE = "cellar_door"


def write_stubs(place: Path) -> list[Path]:
    """Write a stub for the modules of the wheel that is put together in `place`; return their files."""
    package = place / INSIDE
    sources = [package / "__init__.py", *(file for name in PACKAGES for file in sorted((package / name).rglob("*.py")))]
    written = []
    for source in sources:
        stub = source.with_suffix(".pyi")
        stub.write_text(stub_of(source.read_text(encoding="utf-8")), encoding="utf-8")
        written.append(stub)
    return written


def stub_of(source: str) -> str:
    """The signatures of a module."""
    return ast.unparse(_Signatures().visit(ast.parse(source))) + "\n"


class _Signatures(ast.NodeTransformer):
    """Leaves out bodies and texts, and finds our packages below `cellar_door`."""

    def visit_Import(self, node: ast.Import) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for alias in node.names:
            top, _, below = alias.name.partition(".")
            if top not in PACKAGES:
                found.append(ast.Import([alias]))
                continue
            if below:
                found.append(ast.Import([ast.alias(f"{INSIDE}.{alias.name}", alias.asname)]))
            if not below or alias.asname is None:
                found.append(ast.ImportFrom(INSIDE, [ast.alias(top, None if below else alias.asname)], 0))
        return found

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom:
        if node.module and node.level == 0 and node.module.partition(".")[0] in PACKAGES:
            return ast.ImportFrom(f"{INSIDE}.{node.module}", node.names, 0)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        if not _makes_attributes(node):
            node.body = [ast.Expr(ast.Constant(...))]
        self.generic_visit(node)
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:
        is_text = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return None if is_text else node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        self.generic_visit(node)
        node.body = node.body or [ast.Expr(ast.Constant(...))]
        return node


def _makes_attributes(function: ast.FunctionDef) -> bool:
    """Whether a body gives `self` attributes: it is where type checkers find them."""
    return any(
        isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
        for node in ast.walk(function)
    )
