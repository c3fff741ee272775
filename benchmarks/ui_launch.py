"""`python benchmarks/ui_launch.py BEGUN`: starts the probe of `ui_start` as run_editor.py starts the program, with its
look whether everything is set up and its change to the environment's Python, which the user waits for too."""

import sys

from bootstrap.launch import become_ready


def main() -> int:
    become_ready(__file__, tests=False)
    del sys.path[0]  # the folder of this file, in which `ui` is another module
    from benchmarks.ui_start import measure

    return measure(float(sys.argv[1]))


if __name__ == "__main__":
    sys.exit(main())
