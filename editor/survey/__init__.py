"""Surveys: checks and searches of any part of a world's landblocks, on processes or a cluster, resumed from a journal.

Nothing here imports Qt: worker processes have this package and no window.
"""
