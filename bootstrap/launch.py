"""From a start command to the running program: set up what is missing, then become the environment's Python.

When nothing is missing this costs a few hundredths of a second: it reads two stamps and asks the file system.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

from bootstrap.compiler import can_compile
from bootstrap.core import CoreBuild
from bootstrap.environment import Environment
from bootstrap.errors import MISSING_PACKAGES, SetupError
from bootstrap.locks import exclusive
from bootstrap.relock import DEVELOPMENT_LOCK, RUNTIME_LOCK
from bootstrap.steps import Log, explain_os_error, say
from bootstrap.system import ensure_system, has_apt, install_line, installable, missing_needs, wanted_needs

ROOT = Path(__file__).resolve().parent.parent
READY = "CELLAR_DOOR_READY"
"""Set for the environment's Python, which starts the same file again, to the checkout that has been set up."""


def become_ready(entry: str, tests: bool) -> None:
    """Return in the environment's Python with everything in place, or end with one sentence and an exit code."""
    if os.environ.pop(READY, None) == str(ROOT):
        return
    try:
        python = prepare(ROOT, tests)
    except SetupError as error:
        say(str(error))
        sys.exit(error.code)
    except OSError as error:
        failure = explain_os_error(error, ROOT)
        say(str(failure))
        sys.exit(failure.code)
    except KeyboardInterrupt:
        say("stopped; the next start continues the set-up.")
        sys.exit(130)
    os.environ[READY] = str(ROOT)
    become([str(python), os.path.abspath(entry), *sys.argv[1:]])


def become(command: list[str]) -> None:
    """Go on as another program. Windows knows no such thing: there it runs beside this one, which ends as it does."""
    if sys.platform == "win32":
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the console tells both of Ctrl-C; the other one answers
        code = subprocess.call(command)
        sys.exit(code - 2**32 if code >= 2**31 else code)  # signed: an unsigned one of 32 bits would become -1
    else:
        os.execv(command[0], command)


def prepare(root: Path, tests: bool) -> Path:
    """Set up what is missing; return the environment's Python. The tests build the core themselves, as one check."""
    environment = Environment(root)
    lock = DEVELOPMENT_LOCK if tests else RUNTIME_LOCK
    log = Log(root / "build" / "setup.log")
    if missing_needs() or environment.damage() or not environment.has_lock(lock):
        with exclusive(root / "build" / "setup.lock", lambda: say("waiting for another start that sets things up.")):
            _set_up(Environment(root), tests, log)
    if not tests:
        _renew_core(root, environment)
    return environment.python


def _set_up(environment: Environment, tests: bool, log: Log) -> None:
    """Do what is still to be done, now that no other start does it."""
    ensure_system(tests, log)
    damage = environment.damage() if environment.exists() else None
    if damage:
        say(f"the environment in .venv is broken ({damage}); rebuilding it.")
        environment.remove()
    if not environment.exists():
        say("making an environment in .venv, once for this checkout.")
        environment.create(log)
        _mention_missing_compiler()
    lock, included = (DEVELOPMENT_LOCK, [RUNTIME_LOCK]) if tests else (RUNTIME_LOCK, [])
    if not environment.has_lock(lock):
        say(f"installing the Python packages of {lock} (about 450 MB, once).")
        environment.install(lock, included, log)
        _check_libraries(environment)


def _check_libraries(environment: Environment) -> None:
    """Ask Qt itself: other systems than the ones our list is made for may split their packages in another way."""
    command = [str(environment.python), "-m", "cellar_door.libraries"]
    missing = subprocess.run(
        command, cwd=environment.root, capture_output=True, encoding="utf-8", errors="replace", check=False
    ).stdout.strip()
    if missing and not sys.platform.startswith("linux"):
        raise SetupError(
            f"Qt does not load ({missing}); it is made for Windows 10 and macOS 13 or newer.", MISSING_PACKAGES
        )
    if missing:
        raise SetupError(
            f"Qt needs {missing}; install the system's package that holds it and start again.", MISSING_PACKAGES
        )


def _mention_missing_compiler() -> None:
    wanted = wanted_needs()
    if not wanted:
        return
    things = ", ".join(need.thing for need in wanted)
    hint = f": {install_line(wanted)}" if has_apt() and installable(wanted) == wanted else "."
    say(f"the plain Python core will run; to have it compiled, ten times faster and more, add {things}{hint}")


def _renew_core(root: Path, environment: Environment) -> None:
    """Compile the core when it can be and is not. The program runs without, so a failure is only told."""
    tag = (environment.stamp() or {}).get("tag", "")
    core = CoreBuild(root, root / "build" / "core" / tag)
    if core.is_current():
        return
    if core.has_failed():
        say(f"these sources of the core did not compile (see {core.log}); the plain Python core runs.")
    elif can_compile():
        say("compiling the core of the engine, once for each change of it (a minute or two).")
        command = [str(environment.python), "-m", "bootstrap.core", "build"]
        result = subprocess.run(
            command,
            cwd=root,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        if result.returncode == 0:
            return
        say(f"{result.stderr.strip()}. The plain Python core runs.")
    os.environ.setdefault("CELLAR_DOOR_CORE", "python")  # the user knows already what the engine would warn of
