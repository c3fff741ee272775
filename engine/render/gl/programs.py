"""Shader programs, made from the files in `resources/shaders`."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from engine.files.errors import FileError
from engine.files.kinds import OWN
from engine.files.reading import read_text
from engine.render.errors import RenderError
from engine.render.gl import api

FOLDER: Final = Path(__file__).resolve().parents[3] / "resources" / "shaders"
HEAD: Final = "#version 330 core\n"
STAGES: Final = {".vert": api.VERTEX_SHADER, ".geom": api.GEOMETRY_SHADER, ".frag": api.FRAGMENT_SHADER}
COMMON: Final = ".glsl"
"""The prelude of every stage of a program that names it."""

SAMPLERS: Final = ("places", "pictures", "masks", "surfaces")
"""The samplers of all programs, by texture unit."""
PLACES_UNIT: Final = 0
PICTURES_UNIT: Final = 1
MASKS_UNIT: Final = 2
SURFACES_UNIT: Final = 3

VIEW_POINT: Final = 0
LIGHT_POINT: Final = 1
BLOCKS: Final = ("View", "Light")
"""The uniform blocks of `view.glsl`, by the points that their buffers are bound to."""


class Program:
    """A linked program and the places of its uniforms. `samplers` binds its textures to units, once and for all."""

    def __init__(self, files: Sequence[str], defines: Sequence[str] = (), samplers: Sequence[str] = ()) -> None:
        self.name = " + ".join([*files, *defines])
        self._places: dict[str, int] = {}
        with api.doing(f"making the program {self.name}"):
            self.id = api.create_program()
            common = "".join(_source(file) for file in files if Path(file).suffix == COMMON)
            head = HEAD + "".join(f"#define {define}\n" for define in defines) + common
            for file in files:
                if Path(file).suffix != COMMON:
                    self._attach(file, head + _source(file))
            api.link_program(self.id)
            if not _status(api.get_program, self.id, api.LINK_STATUS):
                raise RenderError(f"the program {self.name} does not link: {_log(api.get_program_log, self.id)}")
            api.use_program(self.id)
            for unit, sampler in enumerate(samplers):
                if self.place(sampler) >= 0:
                    api.uniform_1i(self.place(sampler), unit)
            for point, block in enumerate(BLOCKS):
                index = api.get_uniform_block_index(self.id, block.encode())
                if index != api.INVALID_INDEX:
                    api.uniform_block_binding(self.id, index, point)

    def _attach(self, file: str, text: str) -> None:
        shader = api.create_shader(STAGES[Path(file).suffix])
        encoded = text.encode()
        start = ctypes.cast(ctypes.c_char_p(encoded), ctypes.POINTER(ctypes.c_char))
        api.shader_source(shader, 1, (ctypes.POINTER(ctypes.c_char) * 1)(start), (ctypes.c_int * 1)(len(encoded)))
        api.compile_shader(shader)
        if not _status(api.get_shader, shader, api.COMPILE_STATUS):
            raise RenderError(f"the shader {file} does not compile: {_log(api.get_shader_log, shader)}")
        api.attach_shader(self.id, shader)
        api.delete_shader(shader)  # it goes when the program does

    def use(self) -> None:
        api.use_program(self.id)

    def place(self, uniform: str) -> int:
        """The location of a uniform; −1, which every setter ignores, for one that the shaders do not use."""
        place = self._places.get(uniform)
        if place is None:
            place = api.get_uniform_location(self.id, uniform.encode())
            self._places[uniform] = place
        return place

    def close(self) -> None:
        with api.doing(f"giving back the program {self.name}"):
            api.delete_program(self.id)


def _source(file: str) -> str:
    try:
        return read_text(FOLDER / file, OWN)
    except FileError as error:
        raise RenderError(f"the shader {file} {error.reason}") from error


def _status(ask: api.Asking, thing: int, what: int) -> int:
    answer = (ctypes.c_int * 1)()
    ask(thing, what, answer)
    return int(answer[0])


def _log(ask: api.Logging, thing: int) -> str:
    size = 4096
    text = ctypes.create_string_buffer(size)
    ask(thing, size, None, text)
    return text.value.decode(errors="replace").strip()
