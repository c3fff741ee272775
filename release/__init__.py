"""What users download: a program without a Python, archives of it, and the notes of a release (docs/releasing.md).

It is no part of the program, and no package of it. The name `packaging` belongs to a library that the tests need.
"""
