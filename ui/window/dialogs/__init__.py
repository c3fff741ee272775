"""The dialogs of exports: what changes, before and after, what is left out, and where it goes."""
