"""The exception of an output that cannot be written."""


class OutputError(Exception):
    """The standard output cannot be written. Not an OSError, since argparse swallows those of its help."""
