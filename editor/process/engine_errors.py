"""The engine's exceptions for bad data, without importing what has not been needed."""

from __future__ import annotations

import sys
from typing import Final

ENGINE_ERRORS: Final = (
    ("engine.build.errors", "BuildError"),
    ("engine.dat.errors", "DatError"),
    ("engine.files.errors", "FileError"),
    ("engine.geometry.errors", "GeometryError"),
    ("engine.physics.errors", "PhysicsError"),
    ("engine.render.errors", "RenderError"),
    ("engine.sim.errors", "SimError"),
    ("engine.world.faults", "WorldError"),
    ("engine.findings.errors", "FindingError"),
    ("editor.survey.errors", "SurveyError"),
    ("editor.project.project", "ProjectError"),
)


def engine_errors() -> tuple[type[Exception], ...]:
    """The exceptions that can have been raised: those of imported modules."""
    return tuple(getattr(sys.modules[module], name) for module, name in ENGINE_ERRORS if module in sys.modules)
