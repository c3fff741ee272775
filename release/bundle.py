"""What macOS reads of a bundle: the kinds of files that the program opens (Info.plist, Core Foundation Keys)."""

from __future__ import annotations

from collections.abc import Iterable

from editor.commands.associate.kinds import OwnKind


def information(kinds: Iterable[OwnKind]) -> dict[str, object]:
    """The entries that PyInstaller does not make itself."""
    documents: list[dict[str, object]] = []
    types: list[dict[str, object]] = []
    for kind in kinds:
        identifier = f"cellar-door.{kind.word}"
        documents.append(
            {
                "CFBundleTypeName": kind.title,
                "CFBundleTypeRole": "Editor",
                "LSHandlerRank": "Owner",
                "LSItemContentTypes": [identifier],
            }
        )
        types.append(
            {
                "UTTypeIdentifier": identifier,
                "UTTypeDescription": kind.title,
                "UTTypeConformsTo": ["public.data"],
                "UTTypeTagSpecification": {
                    "public.filename-extension": [kind.suffix.removeprefix(".")],
                    "public.mime-type": [kind.mime],
                },
            }
        )
    return {
        "CFBundleDisplayName": "Cellar Door",
        "CFBundleDocumentTypes": documents,
        "UTExportedTypeDeclarations": types,
        "NSHighResolutionCapable": True,
    }
