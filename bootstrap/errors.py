"""The reasons why a set-up can fail, each with an exit code for scripts."""

MISSING_PACKAGES = 3
OLD_PYTHON = 4
NO_NETWORK = 5
DISK_FULL = 6
BROKEN_ENVIRONMENT = 7
FAILED_INSTALL = 8


class SetupError(Exception):
    """One sentence for the user; `code` is the exit code of the command."""

    def __init__(self, sentence: str, code: int) -> None:
        super().__init__(sentence)
        self.code = code
