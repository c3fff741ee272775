"""Settings that every test shares."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

from engine.render.gl.platform import settle_gl_platform

settle_gl_platform()  # before any test loads Qt or OpenGL

# The same examples on every run and machine: a red run can be repeated.
settings.register_profile("cellar-door", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("cellar-door")
