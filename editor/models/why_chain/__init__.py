"""Why a value is what it is, as a chain of causes: asked, answered in slices, kept."""
