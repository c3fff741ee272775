"""One step of `bootstrap.core`: `compile_core.py RESULT GENERATED FILES...`, the files named from the current folder.

It is started by its path and imports nothing of the project: mypy looks for modules on this process's path, and there
must be only one `engine` in sight, the copy in the current folder.
"""

import os
import sys

OPTIMIZATION = "2"
GCC_FLAGS = (
    "-fno-semantic-interposition",  # lets gcc inline between our own functions: 2.2 times faster by itself
    "-ffp-contract=off",  # no fused multiply-add: the same bits as the interpreted core
    "-Wno-error",  # mypyc asks for -Werror; a newer compiler's new warning must not cost the compiled core
)
MSVC_FLAGS = ("/fp:precise",)  # nothing fused or reordered: the same bits
C_FLAGS = MSVC_FLAGS if sys.platform == "win32" else GCC_FLAGS
ONE_FILE = sys.platform != "win32"
"""All the C code in one file: a hundred megabytes, which make gcc's code faster and are too much for Microsoft's."""
GROUP = "cellar_door_core"


def main(result: str, generated: str, files: list[str]) -> None:
    from mypyc.build import mypycify
    from setuptools import Distribution
    from setuptools.command.build_ext import build_ext

    # Errors in what the core merely imports are the business of the lint run, not of this build.
    options = ["--config-file=pyproject.toml", "--follow-imports=silent"]
    extensions = mypycify(
        [*options, *files],
        opt_level=OPTIMIZATION,
        debug_level="0",
        multi_file=not ONE_FILE,
        target_dir=generated,
        group_name=GROUP,
    )
    for extension in extensions:
        extension.extra_compile_args = [*extension.extra_compile_args, *C_FLAGS]
    command = build_ext(Distribution({"name": GROUP, "ext_modules": extensions}))
    command.build_lib, command.build_temp = result, os.path.join(generated, "objects")
    command.parallel = os.cpu_count()
    command.ensure_finalized()
    command.run()


if __name__ == "__main__":
    del sys.path[0]  # the folder of this file
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
