"""Opening a world, and starting simulations in it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import TYPE_CHECKING

from editor.document.step import Step
from editor.process.demo_name import DEMO
from editor.process.server_arguments import ALSO
from editor.scripting.edited import EditedStage
from editor.scripting.errors import OpenError, reported
from editor.scripting.places import At, start_place
from editor.scripting.rules import Rules, rule_set_of
from editor.scripting.runs import Run
from editor.session.server_choice import ServerChoice, whole_path
from editor.session.sources import Content, look_at, open_found
from editor.session.spawn import first_landblock, place_player
from engine.files.server_address import AddressError, is_address, without_password
from engine.physics.rules import RULE_NAMES
from engine.sim.edits.player import SetPlayerNumber, Teleport
from engine.sim.edits.rules import SetRule
from engine.sim.reproduction.edges import watch_edge
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import cell_text, landblock_id
from engine.world.graph.graph import NO_CELL

if TYPE_CHECKING:
    from engine.world.world import World as EngineWorld


def open_world(
    source: str | os.PathLike[str],
    *,
    scene: str | None = None,
    landblock: int | None = None,
    server_data: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] = (),
    server_also: Sequence[str] = (),
    world: str | os.PathLike[str] = "",
) -> World:
    """Open `demo`, a folder with the client's data files, a folder of dumps, a scene or a project.

    `scene` chooses from a file of several. `landblock` is the one that simulations begin in. `server_data` are folders
    of a server's SQL files, SQLite databases or a URL, the base first; `server_also` adds its `hooks` or `encounters`.
    `world` is where the world of a project is, unless it lies beside it. Nothing is read that is neither named here nor
    lies beside a project that names it.
    """
    paths = [server_data] if isinstance(server_data, str | os.PathLike) else server_data
    server = _server_choice([os.fspath(path) for path in paths], server_also)
    where = os.fspath(source)
    with reported(OpenError), ExitStack() as stack:
        found = look_at(where)
        steps: list[Step] = []
        if found.content is Content.PROJECT:
            if scene is not None:
                raise OpenError("a project knows its scene", file=where)
            from editor.export.edited_world import edited_world  # it loads what only projects need

            name = os.fspath(world)
            opened = stack.enter_context(edited_world(name or where, where if name else "", server=server))
            sim, origin, scene, server = opened.sim, opened.source, opened.scene, opened.server
            steps = list(opened.made)
        elif found.content in (Content.WORLD, Content.REPRODUCTION):
            if len(found.scenes) > 1 and scene is None:
                raise OpenError(f"holds several scenes; choose one: scene={found.scenes!r}", file=where)
            loaded = stack.enter_context(open_found(found, scene, server))
            sim, origin = Simulation(loaded), found.source
            stack.callback(sim.close)
        else:
            other = {Content.RECORDING: "open_recording", Content.CAPTURE: "open_capture"}.get(found.content)
            advice = f"; {other} opens it" if other else ""
            raise OpenError(f"is a {found.content.value}, not a world{advice}", file=where)
        if landblock is not None and sim.world.landblock(landblock_id(landblock)) is None:
            raise OpenError(f"has no landblock {cell_text(landblock_id(landblock))}", file=where, cell=landblock)
        is_edited = found.content is Content.PROJECT
        return World(stack.pop_all(), sim, origin, scene, landblock, server, steps, is_edited=is_edited)


def _server_choice(paths: Sequence[str], also: Sequence[str]) -> ServerChoice | None:
    """A password in a URL goes to memory alone: neither recordings nor projects get to see it."""
    for what in also:
        if what not in ALSO:
            raise OpenError(f"server_also is of {', '.join(ALSO)}, not {what!r}")
    if not paths:
        if also:
            raise OpenError("server_also needs server_data")
        return None
    try:
        named = [without_password(path) if is_address(path) else path for path in paths]
    except AddressError as error:
        raise OpenError(f"the URL {error}") from error
    return ServerChoice(tuple(map(whole_path, named)), tuple(dict.fromkeys(also)))


class World(EditedStage):
    """An open world. Close it, or open it in a `with` block; that closes its runs too.

    It stands still: its edits count for every simulation that is started afterwards.
    """

    _what = "world"

    def __init__(
        self,
        stack: ExitStack,
        sim: Simulation,
        source: str,
        scene: str | None,
        landblock: int | None,
        server: ServerChoice | None,
        steps: Sequence[Step],
        *,
        is_edited: bool = False,
    ) -> None:
        """`is_edited`: it is that of a project, so it is not as its source has it even without a step."""
        super().__init__(sim, steps)
        self._stack = stack
        self._source = source
        self._scene = scene
        self._landblock = landblock
        self._server = server
        self._is_edited = is_edited
        self._runs: list[Run] = []

    def __repr__(self) -> str:
        return f"World({self._source!r}{', closed' if self._sim is None else ''})"

    def __enter__(self) -> World:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the world with all its runs; closing it again does nothing."""
        if self._sim is None:
            return
        for run in self._runs.copy():
            run.close()
        self._sim = None
        self._stack.close()

    @property
    def world(self) -> World:
        return self

    @property
    def source(self) -> str:
        return self._source

    @property
    def absolute_source(self) -> str:
        """The source as it can be opened from any folder."""
        return self._source if self._source == DEMO else os.path.abspath(self._source)

    @property
    def server(self) -> ServerChoice | None:
        """The server data that it was opened with."""
        return self._server

    @property
    def server_paths(self) -> tuple[str, ...]:
        """Where that is."""
        return () if self._server is None else self._server.paths

    @property
    def scene(self) -> str | None:
        """The scene that was chosen."""
        return self._scene

    @property
    def loaded(self) -> EngineWorld:
        """The engine's world, which no run changes."""
        return self.engine.world.loaded

    def simulation(
        self,
        at: At | None = None,
        *,
        rules: Rules | None = None,
        body: Mapping[str, float] | None = None,
        record: bool = True,
    ) -> Run:
        """Start a run: the player stands at a place, goes by rules and has a body.

        Without a place he stands where the window would put him, in a project where it left him. `rules` are retail or
        ace, `ace,edge_slide_order=retail`, or forms by rule. `body` are numbers as `set_body` takes them. Without
        `record` a tick takes less time, and the run cannot be saved, traced or compared.
        """
        standing = self.engine
        with reported():
            wanted = None if rules is None else rule_set_of(rules, standing.rules)
            sim = Simulation(self.loaded, wanted, standing.player.id)
        with ExitStack() as stack, reported():
            stack.callback(sim.close)
            watch_edge(sim)
            if self._steps or self._is_edited:
                sim.restore(standing.snapshot())
                for rule in RULE_NAMES if wanted is not None else ():
                    if wanted is not None and sim.rules.form(rule) != wanted.form(rule):
                        sim.apply_edit(SetRule(rule, wanted.form(rule)))
            for name, value in (body or {}).items():
                sim.apply_edit(SetPlayerNumber(name, float(value)))
            self._put(sim, at)
            run = Run(self, sim, self._steps, record=record)
            stack.pop_all()
        self._runs.append(run)
        return run

    def _put(self, sim: Simulation, at: At | None) -> None:
        if at is not None:
            place = start_place(sim, self._source, at)
            sim.apply_edit(Teleport(place.cell_id, *place.origin, place.heading))
        elif sim.player.place_cell() == NO_CELL:
            block = self._landblock
            wanted = 0 if block is None else block
            if block is None:
                block = first_landblock(sim.world, sim.world.source.block_index())
            place_player(sim, self._source, block, wanted)

    def _forget(self, run: Run) -> None:
        """Not keep a run that was closed."""
        if run in self._runs:
            self._runs.remove(run)
