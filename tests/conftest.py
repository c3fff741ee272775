"""Settings that every test shares."""

from __future__ import annotations

import signal

from hypothesis import HealthCheck, settings

from engine.render.gl.platform import settle_gl_platform

settle_gl_platform()  # before any test loads Qt or OpenGL

# A shell's background job has interrupts ignored, and `nohup` hang-ups; what a test starts would inherit that.
for _number, _handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, _handler)

# The same examples on every run and machine: a red run can be repeated.
settings.register_profile("cellar-door", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("cellar-door")
