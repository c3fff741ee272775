"""The widgets of the maps."""
