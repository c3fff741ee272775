"""The language that describes records; compiled (dat-format.md 0.3 - 0.7).

A description is a list of (field name, codec) in the order of the file. Reading, writing, the field names in errors and
the readable form all derive from it, so a record's layout is declared once.

    STAB = Record(Stab, [("model_id", DID), ("frame", FRAME)])

Names that start with `#` are counts that only the file holds: `#portals` is the number of `portals`. An entry without a
name is padding or a constant.
"""
