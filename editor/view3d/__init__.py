"""The 3D view without its widget: cameras, picking, the gizmo, placing, streaming."""
