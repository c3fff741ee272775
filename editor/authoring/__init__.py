"""What users add and change by hand: catalogue, placement, and the edits that do it."""
