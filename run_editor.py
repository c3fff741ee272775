"""Start Cellar Door: `python3 run_editor.py`. On a fresh machine it sets everything up first."""

import sys

from bootstrap import require_python


def main() -> int:
    require_python()
    from bootstrap.launch import become_ready

    become_ready(__file__, tests=False)
    from cellar_door.main import main as start

    return start(sys.argv[1:])


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:  # before anybody was there to take it
        print("Cellar Door: interrupted", file=sys.stderr)
        sys.exit(130)
