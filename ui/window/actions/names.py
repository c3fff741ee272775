"""Names of cells, portals and models: giving them, importing them from a file, exporting them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog, QInputDialog, QLineEdit, QMessageBox

from editor.models.naming import Merge, key_of, merge_of, rename
from editor.process.output_files import bare, output_file
from editor.process.plain_text import counted, plain, plain_lines, title_text
from engine.world.faults import WorldError
from engine.world.loader.names_file import FILE_NAME, read_names, write_names
from engine.world.names import LONGEST_NAME, Named, NameKey
from ui.context import WindowContext
from ui.docks.context import DockLinks
from ui.widgets.banner import SIGN
from ui.widgets.save_folder import first_folder, proposed, remember

NOTHING_OPEN: Final = "Open a world first."
NOTHING_SELECTED: Final = "Select a cell, a landblock or a thing first."
NO_NAMES: Final = "Nothing has a name in this world."
KINDS: Final = "Names (*.json)"
MOST_LISTED: Final = 12
"""Replaced names that the question lists; the rest is a number."""

MODEL_NOTE: Final = "Everything with this model shows the name."
PORTAL_NOTE: Final = "The other side of the opening gets the same name."


class NameActions(QObject):
    """Three commands, and the question for a name."""

    def __init__(self, context: WindowContext, links: DockLinks, open_files: Callable[[], list[Path]]) -> None:
        super().__init__(context.window)
        self._context = context
        self._open_files = open_files
        self.document = context.document
        self.dialog: QInputDialog | None = None
        self.box: QMessageBox | None = None
        commands = context.commands
        self.rename_action = commands.add(
            "rename",
            "Rename Selection…",
            self.rename_selection,
            tip="Name the selected cell, or the model of the selected thing; F2 in World, Cell Graph and Cell",
            condition=self._why_not_rename,
        )
        self.import_action = commands.add(
            "import-names",
            "Import Names…",
            self.ask_for_import,
            tip="Add the names of cells, portals and models from a file",
            condition=self._why_not_import,
        )
        self.export_action = commands.add(
            "export-names",
            "Export Names…",
            self.ask_for_export,
            tip="Save the names of cells, portals and models in a file, for others to import",
            condition=self._why_not_export,
        )
        links.rename_wanted.connect(self.ask)
        context.session.selection_changed.connect(commands.refresh)

    # --- conditions

    def _why_not_import(self) -> str:
        return NOTHING_OPEN if self.document.world is None else self.document.why_not_edit

    def _why_not_rename(self) -> str:
        return self._why_not_import() or ("" if self._selected() is not None else NOTHING_SELECTED)

    def _why_not_export(self) -> str:
        world = self.document.world
        return NOTHING_OPEN if world is None else "" if len(world.names) else NO_NAMES

    def _selected(self) -> NameKey | None:
        sim = self.document.simulation
        return None if sim is None else key_of(sim, self._context.session.selection)

    # --- giving a name

    @Slot()
    def rename_selection(self) -> None:
        key = self._selected()
        if key is not None:
            self.ask(key)

    @Slot(object)
    def ask(self, key: NameKey) -> None:
        """Ask for the name of a cell, portal or model; an empty one takes it away."""
        world, why = self.document.world, self._why_not_import()
        if world is None or why:
            self._context.messages.warn(f"Rename: {why}")
            return
        dialog = self.dialog = QInputDialog(self._context.window)
        note = {Named.MODEL: MODEL_NOTE, Named.PORTAL: PORTAL_NOTE}.get(key.kind, "")
        dialog.setWindowTitle(title_text(f"Rename {key.text[:1].upper()}{key.text[1:]}"))
        dialog.setLabelText(plain_lines("\n".join(filter(None, ("Name, or nothing to remove it:", note)))))
        dialog.setTextValue(world.names.get(key))
        for field in dialog.findChildren(QLineEdit):
            field.setMaxLength(LONGEST_NAME)
        dialog.textValueSelected.connect(lambda text: rename(self.document, key, text))
        dialog.finished.connect(self._on_finished)
        dialog.open()

    @Slot()
    def _on_finished(self) -> None:
        if self.dialog is not None:
            self.dialog.deleteLater()
            self.dialog = None

    # --- files

    @Slot()
    def ask_for_export(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self._context.window, "Export Names", proposed(FILE_NAME), KINDS)
        remember(name)
        if name:
            self.export_to(Path(name))

    def export_to(self, path: Path) -> None:
        """Save all names; the banner says why that failed."""
        world = self.document.world
        if world is None:
            return
        names = dict(world.names)
        try:
            write_names(output_file(path, [*self._context.session.sources, *self._open_files()]), world.name, names)
        except WorldError as error:
            sentence = f"{SIGN}The names were not saved in {path.name}: {bare(error.reason)}."
            self._context.banner.warn(sentence, str(error))
            return
        self._context.messages.say(f"Saved {counted(len(names), 'name')} as {path.name}")

    @Slot()
    def ask_for_import(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self._context.window, "Import Names", first_folder(), KINDS)
        remember(name)
        if name:
            self.import_from(Path(name))

    def import_from(self, path: Path) -> None:
        """Read a file and add its names; ask first if they replace others."""
        world = self.document.world
        if world is None:
            return
        try:
            found = read_names(path)
        except WorldError as error:
            where = f"{error.key} " if error.key else ""
            self._context.banner.warn(f"{SIGN}{path.name} was not imported: {where}{error.reason}.", str(error))
            return
        merge = merge_of(world.names, found.names)
        if merge.replaced:
            self._ask_to_replace(path, merge)
        else:
            self._import(path, merge)

    def _ask_to_replace(self, path: Path, merge: Merge) -> None:
        box = self.box = QMessageBox(self._context.window)
        listed = merge.replaced[:MOST_LISTED]
        if len(merge.replaced) > MOST_LISTED:
            listed.append(f"… and {len(merge.replaced) - MOST_LISTED:,} more")
        box.setWindowTitle("Import Names")
        box.setText(plain(f"{path.name}: {merge.sentence}"))
        box.setInformativeText(plain_lines("\n".join(listed)))
        replace = box.addButton("Import and Replace", QMessageBox.ButtonRole.AcceptRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(QMessageBox.StandardButton.Cancel)

        def answered() -> None:
            self.box = None
            box.deleteLater()
            if box.clickedButton() is replace:
                self._import(path, merge)

        box.finished.connect(answered)
        box.open()

    def _import(self, path: Path, merge: Merge) -> None:
        self.document.rename(f"Import Names of {path.name}", merge.wanted)
