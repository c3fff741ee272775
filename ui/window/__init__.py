"""The main window: its docks' layout, menus, start and end."""
