"""Edits of rooms, for the editor by this name."""

from __future__ import annotations

from engine.sim.data_files.cell_edits import changed as changed
from engine.sim.data_files.cell_edits import current_record as current_record
from engine.sim.data_files.cell_edits import link_portal as link_portal
from engine.sim.data_files.cell_edits import loaded_records as loaded_records
from engine.sim.data_files.cell_edits import room_of as room_of
from engine.sim.data_files.cell_edits import set_cell_frame as set_cell_frame
from engine.sim.data_files.cell_edits import set_portal as set_portal
from engine.sim.data_files.cell_edits import set_portal_back as set_portal_back
from engine.sim.data_files.cell_edits import set_portal_flags as set_portal_flags
from engine.sim.data_files.cell_edits import set_seen_outside as set_seen_outside
from engine.sim.data_files.cell_edits import set_stab_list as set_stab_list
