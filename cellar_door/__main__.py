"""`python -m cellar_door`: the command without the set-up."""

import sys

from cellar_door.main import main

sys.exit(main(sys.argv[1:]))
