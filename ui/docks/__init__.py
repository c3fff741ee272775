"""The docks of the running world: each shows item models of `editor` and turns clicks into edits of the document."""
