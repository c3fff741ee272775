"""The dialog with the reports of what went wrong: to read, to copy and to attach."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from editor.process.plain_text import action_text, plain_lines, visible_lines
from editor.process.problem_reports import Report
from ui.theme.theme import BETWEEN, EDGE, mono_font

ABOUT: Final = (
    "Cellar Door sends nothing by itself. To have a problem looked at, copy its report, or attach its file, and pass "
    "it on where you got the program, with a sentence on what you were doing. A report holds versions, the last things "
    "that were done, and where the program was; paths in your home folder begin with ~."
)
SIZE: Final = (760, 520)


class ProblemReportsDialog(QDialog):
    """The reports, the latest first."""

    def __init__(self, reports: Sequence[Report], parent: QWidget) -> None:
        super().__init__(parent)
        self._reports = list(reports)
        self.setObjectName("problem-reports")
        self.setWindowTitle("Problem Reports")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        words = QLabel(plain_lines(ABOUT), self)
        words.setWordWrap(True)
        self.choice = QComboBox(self)
        self.choice.setObjectName("problem-reports-choice")
        self.choice.setAccessibleName("Report to read")
        self.choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        for report in self._reports:
            self.choice.addItem(action_text(f"{report.when}  {report.sentence}").replace("&&", "&"))
        self.text = QPlainTextEdit(self)
        self.text.setObjectName("problem-report")
        self.text.setAccessibleName("Report")
        self.text.setReadOnly(True)
        self.text.setFont(mono_font())
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setTabChangesFocus(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        copy = buttons.addButton("Copy Report", QDialogButtonBox.ButtonRole.ActionRole)
        copy.setObjectName("copy-report")
        copy.clicked.connect(self.copy)
        show = buttons.addButton("Show File", QDialogButtonBox.ButtonRole.ActionRole)
        show.setObjectName("show-report")
        show.setToolTip("Open the folder that it is in")
        show.clicked.connect(self._show_file)
        buttons.rejected.connect(self.close)
        column = QVBoxLayout(self)
        column.setContentsMargins(EDGE, EDGE, EDGE, EDGE)
        column.setSpacing(BETWEEN)
        for part in (words, self.choice, self.text, buttons):
            column.addWidget(part)
        self.choice.currentIndexChanged.connect(self._on_chosen)
        self._on_chosen()
        self.resize(*SIZE)
        copy.setFocus()

    @property
    def report(self) -> Report:
        return self._reports[self.choice.currentIndex()]

    @Slot()
    def _on_chosen(self) -> None:
        self.choice.setToolTip(plain_lines(f"{self.report.sentence}\n{self.report.path}"))
        self.text.setPlainText(visible_lines(self.report.text))

    @Slot()
    def copy(self) -> None:
        QGuiApplication.clipboard().setText(visible_lines(self.report.text))

    @Slot()
    def _show_file(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self.report.path.parent)))
