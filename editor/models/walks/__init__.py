"""The kept walks of the open document: which there are, and which of them now go otherwise."""
