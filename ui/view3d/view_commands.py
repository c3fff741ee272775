"""Commands of the bar over the 3D view."""

from __future__ import annotations

from ui.commands.choices import add_choices
from ui.commands.registry import CommandSet
from ui.view3d.view_bar import HOURS, ViewBar


def register_view_commands(commands: CommandSet, bar: ViewBar) -> None:
    """Register the bar's commands, in the order of the menus."""
    add_choices(commands, "camera-", bar.camera)
    add_choices(commands, "picture-", bar.picture)
    add_choices(commands, "root-", bar.root)
    for overlay, action in bar.overlay_actions.items():
        commands.adopt(f"overlay-{overlay.value}", action)
    commands.adopt("overlay-none", bar.none_action)
    for buffer, action in bar.buffer_actions.items():
        commands.adopt(f"buffer-{buffer.name.lower()}", action)
    for (hour, _), action in zip(HOURS, bar.hour_actions, strict=True):
        commands.adopt(f"hour-{hour:02}", action)
    for name, action in zip(("brighter", "viewer", "plain"), bar.light_actions, strict=True):
        commands.adopt(f"light-{name}", action)
    for number, action in enumerate(bar.detail_actions):
        commands.adopt(f"detail-{number}", action)
    commands.adopt("draw-order-steps", bar.steps_action)
    commands.adopt("freeze-visibility", bar.freeze_action)
