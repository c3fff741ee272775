"""The notes of a release: the section of its version in CHANGELOG.md."""

from __future__ import annotations

import re
from pathlib import Path

from release.contents import ROOT
from release.errors import ReleaseError

CHANGELOG = ROOT / "CHANGELOG.md"


def notes_of(version: str, changelog: Path = CHANGELOG) -> str:
    """What stands below the heading `## VERSION`, which may have more behind it."""
    text = changelog.read_text(encoding="utf-8")
    for section in re.split(r"^## ", text, flags=re.M)[1:]:
        heading, _, body = section.partition("\n")
        if heading.split()[:1] == [version]:
            if not body.strip():
                break
            return f"# Cellar Door {heading.strip()}\n\n{body.strip()}\n"
    raise ReleaseError(f"{changelog.name} has no section for {version}")
