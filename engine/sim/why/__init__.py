"""Why a value is what it is: since which tick of a recording, by what, and why that in turn."""
