"""Run every check: `python3 run_tests.py [PART ...] [-- PYTEST ARGUMENTS]`. A fresh machine is set up first."""

import sys

from bootstrap import require_python


def main() -> int:
    require_python()
    from bootstrap.launch import become_ready

    become_ready(__file__, tests=True)
    from bootstrap.checks import main as check

    return check(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
