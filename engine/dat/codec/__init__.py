"""The language in which records are described; compiled (spec/dat-format.md 0.3 - 0.7).

A description is a list of (field name, codec) in the order of the file. From it come reading, writing, the field names
in errors, and the readable form: nothing about a record's layout is said twice.

    STAB = Record(Stab, [("model_id", DID), ("frame", FRAME)])

Names with a `#` in front are counts that only the file holds: `#portals` is the number of `portals`. An entry without a
name is padding or a value that is always the same.
"""
