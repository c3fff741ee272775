"""Who may pass the selected door: computed beside the window's work, and shown as rows."""
