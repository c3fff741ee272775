"""What a world, a run and the window's document have in common: what stands in them can be asked about and edited."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING

from editor.authoring.cell_edits import set_stab_list
from editor.scripting.answers import cell_answer, entity_answer, player_answer
from editor.scripting.errors import RefusedError, reported
from editor.scripting.places import At, before_door, one_cell, start_place
from editor.scripting.things import Door, Things
from editor.scripting.values import Cell, Entity, Id, Place, Player, Problem, Vec3, View
from engine.entities.specs import DOOR
from engine.physics.rules import RULE_NAMES
from engine.sim.edits.catalogue import FIELDS, edit_of
from engine.sim.edits.edit import Edit, EditValue
from engine.sim.edits.entities import SetVelocity
from engine.sim.edits.player import FacePlayer, SetPlayerNumber, Teleport
from engine.sim.edits.rules import SetRule, SetRuleSet
from engine.sim.script import entity_id
from engine.survey.stabs.question import computed_stab_lists
from engine.world.cells.ids import cell_text, landblock_id

if TYPE_CHECKING:
    from editor.scripting.seeing import Eye
    from engine.sim.tick.simulation import Simulation


class Stage(ABC):
    """What `World`, `Run` and the document of the window's console share.

    A stage is used by the thread that made it. Edits change it, never the source that it was opened from.
    """

    @property
    @abstractmethod
    def engine(self) -> Simulation:
        """The engine's own simulation, for what this vocabulary has no word for; it is no part of the promise."""

    @property
    @abstractmethod
    def source(self) -> str:
        """What the world was opened from."""

    @abstractmethod
    def _make(self, title: str, edits: Sequence[Edit]) -> None:
        """Make these edits as one step: all of them or none."""

    # --- asking

    @property
    def name(self) -> str:
        """The world's name."""
        return self.engine.world.name

    @property
    def landblocks(self) -> tuple[Id, ...]:
        """The ids of all landblocks, 0xXXYYFFFF, ascending."""
        with reported():
            return tuple(map(Id, self.engine.world.landblock_ids()))

    @property
    def names(self) -> dict[Id, str]:
        """The names of cells and models, by id."""
        return {Id(key.id): name for key, name in self.engine.world.names if key.index < 0}

    def cells(self, landblock: int | None = None, *, land: bool = False) -> Iterator[Cell]:
        """The rooms of a landblock, or of all of them, in the order of their ids; with `land` squares of land too."""
        world = self.engine.world
        for block_id in self.landblocks if landblock is None else (Id(landblock_id(landblock)),):
            with reported():
                block = world.landblock(block_id)
            if block is None:
                raise RefusedError(f"there is no landblock {block_id}", cell=block_id)
            for cell in block.cells if land else block.env_cells:
                yield cell_answer(world, cell)

    def cell(self, which: int | str) -> Cell:
        """A cell by its id or its name."""
        with reported():
            cell_id = one_cell(self.engine.world, which)
            found = self.engine.world.graph.get_visible(cell_id)
        if found is None:
            raise RefusedError(f"there is no cell {cell_text(cell_id)} in {self.name}", cell=cell_id)
        return cell_answer(self.engine.world, found)

    def visible_cells(self, landblock: int) -> dict[Id, tuple[Id, ...]]:
        """For every room of a landblock the rooms that can be seen from somewhere in it: what its stab list needs.

        Takes seconds for hundreds of rooms.
        """
        with reported():
            if self.engine.world.landblock(landblock) is None:
                raise RefusedError(f"there is no landblock {cell_text(landblock_id(landblock))}", cell=landblock)
            found = computed_stab_lists(self.engine.world, landblock_id(landblock))
        return {Id(cell_id): tuple(map(Id, seen)) for cell_id, seen in found.items()}

    @property
    def player(self) -> Player:
        """The player as he is now."""
        return player_answer(self.engine)

    @property
    def entities(self) -> Things[Entity]:
        """Everything that is no part of a landblock's records: doors, creatures, chests."""
        return Things(self, "", lambda spec, thing_id: entity_answer(self.engine, spec, thing_id))

    @property
    def doors(self) -> Things[Door]:
        """The doors, each with its state and what can be done to it."""
        return Things(self, DOOR, lambda spec, thing_id: Door(self, spec, thing_id))

    @property
    def rules(self) -> dict[str, str]:
        """The form of every rule, retail or ace."""
        return {rule: self.engine.rules.form(rule) for rule in RULE_NAMES}

    def visible(
        self,
        eye: Eye = None,
        *,
        cell: int | str | None = None,
        heading: float | None = None,
        pitch: float = 0.0,
        size: tuple[int, int] = (1280, 800),
        ignore_stab_list: bool = False,
    ) -> View:
        """What an eye sees, cell by cell and portal by portal: the player's eye unless a place or a point is given."""
        from editor.scripting.seeing import view_of

        return view_of(self, eye, cell, heading, pitch, size, ignore_stab_list=ignore_stab_list)

    def picture(
        self,
        path: str | PathLike[str],
        *,
        eye: Eye = None,
        cell: int | str | None = None,
        heading: float | None = None,
        pitch: float = 0.0,
        look_at: Vec3 | None = None,
        size: tuple[int, int] = (1280, 800),
        overlays: Sequence[str] = (),
        time_of_day: float | None = None,
    ) -> None:
        """Draw a picture from an eye into a .png or .jpg file; needs OpenGL, and no display."""
        from editor.scripting.seeing import draw_picture

        draw_picture(self, path, eye, cell, heading, pitch, look_at, size, overlays, time_of_day)

    def check(self, landblock: int | None = None) -> list[Problem]:
        """What is wrong with a landblock, or with the whole world, as Problems lists it."""
        from editor.scripting.checking import problems_of

        return problems_of(self, landblock)

    def fix(self, problem: Problem) -> None:
        """Make the fix of a problem, as one step."""
        from editor.scripting.checking import fix_edits

        self._make(problem.fix, fix_edits(self, problem))

    # --- editing

    def edit(self, edit: Edit | str | Sequence[Edit], title: str = "", /, **values: EditValue) -> None:
        """Make an edit: by its name with its values, or edits made by hand as one step.

            run.edit("set_state_bits", entity_id="Front Door", bits=0x4, on=True)

        An entity is its id or its name. What is refused changes nothing.
        """
        if isinstance(edit, str):
            with reported():
                edits: Sequence[Edit] = [self._edit_of(edit, values)]
        else:
            edits = [edit] if isinstance(edit, Edit) else list(edit)
        self._make(title or ", ".join(type(each).__name__ for each in edits), edits)

    def _edit_of(self, name: str, values: Mapping[str, EditValue]) -> Edit:
        fields = FIELDS.get(name)
        if fields is None:
            raise RefusedError(f"there is no edit {name!r}; there are {', '.join(FIELDS)}")
        wanted = [field for field, _ in fields]
        if sorted(wanted) != sorted(values):
            raise RefusedError(
                f"{name} takes {', '.join(wanted) or 'nothing'}; given were {', '.join(values) or 'none'}"
            )
        return edit_of(name, [self._value(kind, values[field]) for field, kind in fields])

    def _value(self, kind: str, value: EditValue) -> EditValue:
        if kind == "int" and isinstance(value, str):
            return self.id_of(value)
        return int(value) if isinstance(value, Id) else value

    def id_of(self, which: int | str) -> Id:
        """The id of an entity, by its id or its name."""
        if isinstance(which, int):
            return Id(which)
        with reported():
            return Id(self.engine.player.id if which == "player" else entity_id(self.engine, which))

    def place(self, at: At) -> None:
        """Put the player somewhere: at a `Place`, in a cell by its id or name, or at a place written as text."""
        with reported():
            place = start_place(self.engine, self.source, at)
        self._make("Put the Player", [Teleport(place.cell_id, *place.origin, place.heading)])

    def place_before(self, door: int | str, *, behind: bool = False) -> None:
        """Put the player before a door, facing it, or behind it."""
        with reported():
            place = before_door(self.engine, self.id_of(door), behind=behind)
        self._make("Put the Player", [Teleport(place.cell_id, *place.origin, place.heading)])

    def face(self, heading: float) -> None:
        """Turn the player to a compass heading at once."""
        self._make("Turn the Player", [FacePlayer(float(heading))])

    def push(self, entity: int | str, velocity: Vec3) -> None:
        """Give a body a velocity, in metres a second; the player is `"player"`."""
        self._make("Push", [SetVelocity(self.id_of(entity), *map(float, velocity))])

    def set_body(self, **numbers: float) -> None:
        """Change numbers of the player: radius=0.3, run_skill=300, ..."""
        self._make("Change the Player", [SetPlayerNumber(name, float(value)) for name, value in numbers.items()])

    def set_rules(self, rules: str = "", /, **forms: str) -> None:
        """Go by a rule set, and by forms of single rules: `set_rules("ace", edge_slide_order="retail")`."""
        edits: list[Edit] = [SetRuleSet(rules)] if rules else []
        self._make("Change Rules", [*edits, *(SetRule(rule, form) for rule, form in forms.items())])

    def set_stab_list(self, cell: int | str, cells: Sequence[int | str]) -> None:
        """Let a room's stab list have these rooms of its landblock, by id or name, and no others."""
        with reported():
            world = self.engine.world
            cell_id = one_cell(world, cell)
            edits = set_stab_list(self.engine, cell_id, [one_cell(world, other) for other in cells])
        self._make(f"Set Stab List of {cell_text(cell_id)}", edits)


__all__ = ["At", "Place", "Stage"]
