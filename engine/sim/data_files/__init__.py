"""An edited world as records of the client's data files: what changed in them, and whether files hold that world."""
