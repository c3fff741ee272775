"""Every text of a widget is either ours, written in the source, or has gone through `editor.process.plain_text`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
HELPERS = {"plain", "plain_lines", "visible", "visible_lines", "action_text", "title_text"}
NUMBERS = {"cell_text", "len", "tick_text", "entries_text"}
"""What makes words of ids and counts alone."""
SINKS = {
    **dict.fromkeys(("setToolTip", "setText", "drawText", "setData_"), -1),
    **dict.fromkeys(("setStatusTip", "setWhatsThis", "setTitle", "setLabelText", "setInformativeText"), 0),
    **dict.fromkeys(("setDetailedText", "setPlainText", "appendPlainText", "setAccessibleName"), 0),
    **dict.fromkeys(("setAccessibleDescription", "setIconText", "QLabel", "QCheckBox", "QGroupBox"), 0),
    **dict.fromkeys(("QGraphicsSimpleTextItem", "QStandardItem", "QListWidgetItem"), 0),
    **dict.fromkeys(("setTabText", "setTabToolTip", "setItemText", "showText"), 1),
}
"""Where a text goes in, and which argument it is; Qt guesses of most of these whether it is HTML."""
RICH = {"setHtml", "appendHtml", "QTextDocument", "QGraphicsTextItem", "QTextBrowser", "QTextEdit", "insertHtml"}
OURS = {
    "ui/docks/graph/graph_dock.py": {"self.legend"},
    "ui/docks/pview/pview_dock.py": {"self.why"},
    "ui/docks/survey/survey_dock.py": {"self.legend"},
    "ui/window/hints.py": {"self.labels[name]"},
    "ui/map/panel.py": {"self.legend"},
    "ui/window/help_windows.py": {"title"},
    "ui/opening/landblock_dialog.py": {"self.legend"},
    "ui/window/actions/survey_report_dialog.py": {"self.legend"},
}
"""Labels in HTML, which is written there; what comes from elsewhere is escaped."""
BY_HAND = {
    ("ui/window/status_line.py", "text"),  # `showMessage`, which makes it plain first
    ("ui/window/status_line.py", "self.text()"),
    ("ui/commands/menus.py", "f'{text[:place]}&{text[place:]}'"),  # the letters of a menu of ours
    ("ui/docks/console/input_field.py", "text"),  # what the user typed before, in a field without HTML
    ("ui/widgets/whats_this.py", "dock.whatsThis()"),
    ("ui/window/actions/reproduction_dialog.py", "native(chosen)"),
    ("ui/window/dialogs/export_dialog.py", "native(chosen)"),  # a path in a line edit, which has to stay as it is
}


def sources() -> Iterator[tuple[str, ast.Module]]:
    for file in sorted([*(ROOT / "ui").rglob("*.py"), *(ROOT / "editor").rglob("*.py")]):
        yield file.relative_to(ROOT).as_posix(), ast.parse(file.read_text(encoding="utf-8"))


def is_ours(node: ast.expr) -> bool:
    """Written in the source, or made of numbers, or made plain."""
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.Name):
        return node.id.isupper() or node.id in ("self", "parent")
    if isinstance(node, ast.Attribute):
        return node.attr.isupper()
    if isinstance(node, ast.Subscript):
        return is_ours(node.value)
    if isinstance(node, ast.IfExp):
        return is_ours(node.body) and is_ours(node.orelse)
    if isinstance(node, ast.BoolOp | ast.JoinedStr):
        return all(is_ours(value) for value in node.values)
    if isinstance(node, ast.FormattedValue):
        spec = "" if node.format_spec is None else ast.unparse(node.format_spec).strip("f'\"")
        return bool(re.search(r"[dfgXx,]$|^0\d$", spec)) if spec else is_ours(node.value)
    if isinstance(node, ast.Call):
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        return name in HELPERS | NUMBERS
    return False


def _is_parent(arguments: list[ast.expr]) -> bool:
    """Of a widget that is made without a text."""
    return len(arguments) == 1 and isinstance(arguments[0], ast.Name | ast.Attribute)


def test_no_text_of_elsewhere_reaches_a_widget_as_it_is() -> None:
    wrong = []
    for file, tree in sources():
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            called = ast.unparse(call.func)
            name = called.rpartition(".")[2]
            owner = called.rpartition(".")[0]
            if name not in SINKS or "clipboard" in owner or owner in OURS.get(file, ()) or not call.args:
                continue
            if len(call.args) <= SINKS[name] or (name.startswith("Q") and _is_parent(call.args)):
                continue
            text = call.args[SINKS[name]]
            if not is_ours(text) and (file, ast.unparse(text)) not in BY_HAND:
                wrong.append(f"{file}:{call.lineno}: {name}({ast.unparse(text)})")
    assert not wrong, "\n".join(wrong)


def test_html_is_written_nowhere_else() -> None:
    wrong = []
    for file, tree in sources():
        for node in ast.walk(tree):
            name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
            if name in RICH or (name in ("RichText", "MarkdownText", "AutoText") and file not in OURS):
                wrong.append(f"{file}:{getattr(node, 'lineno', 0)}: {name}")
    assert not wrong, "\n".join(wrong)
