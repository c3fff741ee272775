"""Two runs beside each other: where they part, which rule or edit does it, and whether they meet again."""
