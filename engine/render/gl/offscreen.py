"""Drawing without a window: what a context for it can do, the one of EGL, which needs no display either, and a
framebuffer to read the picture back from."""

from __future__ import annotations

import ctypes
from abc import ABC, abstractmethod
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.render.antialiasing import ONE_SAMPLE, Antialiasing, Samples, choose_samples
from engine.render.errors import RenderError
from engine.render.gl import api

_NONE: Final = 0x3038
_CONTEXT: Final = (0x3098, 3, 0x30FB, 3, 0x30FD, 1, _NONE)
"""Major and minor version and the core profile of EGL_KHR_create_context: OpenGL 3.3."""
_CONFIG: Final = (0x3033, 0, 0x3040, 8, _NONE)
"""Any kind of surface, as none is made, and OpenGL."""


class OffscreenContext(ABC):
    """OpenGL 3.3 without a window, current in the thread that made it. `with` gives it back."""

    @abstractmethod
    def make_current(self) -> None: ...

    @abstractmethod
    def close(self) -> None:
        """Everything in the context is gone."""

    def __enter__(self) -> OffscreenContext:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()


class EglContext(OffscreenContext):
    """A context of its own by EGL, on Linux alone."""

    def __init__(self) -> None:
        self._egl = api.Egl()
        try:
            self._display, self._context = self._create()
        except api.GlLibraryError as error:
            raise RenderError(f"this machine offers no OpenGL 3.3 without a window: {_reason(error)}") from error
        self.make_current()

    def _create(self) -> tuple[Any, Any]:
        egl = self._egl
        display = egl.get_platform_display(egl.SURFACELESS, None, None)
        egl.initialize(display, None, None)
        egl.bind_api(egl.OPENGL)
        configs, count = (egl.config_type * 1)(), (ctypes.c_int * 1)()
        egl.choose_config(display, (ctypes.c_int * len(_CONFIG))(*_CONFIG), configs, 1, count)
        if not count[0]:
            raise RenderError("this machine offers no OpenGL 3.3 without a window: there is no configuration for it")
        return display, egl.create_context(display, configs[0], None, (ctypes.c_int * len(_CONTEXT))(*_CONTEXT))

    def make_current(self) -> None:
        with api.doing("making the context current"):
            self._egl.make_current(self._display, None, None, self._context)
            self._egl.bind_api(self._egl.OPENGL)

    def close(self) -> None:
        """The display of EGL stays: all contexts of a process share it."""
        with api.doing("giving the context back"):
            self._egl.make_current(self._display, None, None, None)
            self._egl.destroy_context(self._display, self._context)


def _reason(error: Exception) -> str:
    """The name that EGL gives its error, like EGL_BAD_MATCH."""
    return str(getattr(getattr(error, "err", None), "name", error))


def samples_for(choice: Antialiasing) -> Samples:
    """The samples to draw with in the current context."""
    with api.doing("asking for its limits"):
        renderer = (api.get_string(api.RENDERER) or b"").decode(errors="replace")
        return choose_samples(choice, renderer, api.integer(api.MAX_SAMPLES))


def driver_name() -> str:
    """The driver of the current context as it names itself: its maker, the card, its version."""
    with api.doing("asking for its driver"):
        names = (api.get_string(name) or b"" for name in (api.VENDOR, api.RENDERER, api.VERSION))
        return ", ".join(visible_name for name in names if (visible_name := name.decode(errors="replace")))


class OffscreenTarget:
    """A framebuffer with colour, 24 bits of depth and 8 of stencil; with `samples` each of its pixels is the mean of
    that many, and its depth and stencil are those of one of them."""

    def __init__(self, width: int, height: int, samples: int = ONE_SAMPLE) -> None:
        limit = api.integer(api.MAX_TEXTURE_SIZE)
        if not (0 < width <= limit and 0 < height <= limit):
            raise RenderError(f"a picture of {width} x {height} pixels cannot be drawn, only of 1 to {limit} each way")
        self.width = width
        self.height = height
        self.samples = samples
        self._buffers: list[int] = []
        self._readable = self._make(ONE_SAMPLE)
        """Pixels of one sample each, which alone can be read."""
        self.framebuffer = self._make(samples) if samples > ONE_SAMPLE else self._readable

    def _make(self, samples: int) -> int:
        kind = f"{self.width} x {self.height}" + (f" with {samples} samples" if samples > ONE_SAMPLE else "")
        with api.doing(f"making a framebuffer of {kind}"):
            framebuffer = api.make(api.gen_framebuffers)
            api.bind_framebuffer(api.FRAMEBUFFER, framebuffer)
            self._attach(api.RGBA8, api.COLOR_ATTACHMENT0, samples)
            self._attach(api.DEPTH24_STENCIL8, api.DEPTH_STENCIL_ATTACHMENT, samples)
            status = api.check_framebuffer_status(api.FRAMEBUFFER)
        if status != api.FRAMEBUFFER_COMPLETE:
            raise RenderError(f"OpenGL refuses a framebuffer of {kind}: status 0x{status:04X}")
        return framebuffer

    def _attach(self, form: int, place: int, samples: int) -> None:
        buffer = api.make(api.gen_renderbuffers)
        self._buffers.append(buffer)
        api.bind_renderbuffer(api.RENDERBUFFER, buffer)
        if samples > ONE_SAMPLE:
            api.renderbuffer_storage_multisample(api.RENDERBUFFER, samples, form, self.width, self.height)
        else:
            api.renderbuffer_storage(api.RENDERBUFFER, form, self.width, self.height)
        api.framebuffer_renderbuffer(api.FRAMEBUFFER, place, api.RENDERBUFFER, buffer)

    def pixels(self) -> NDArray[np.uint8]:
        """The picture, (height, width, 4), its first row on top."""
        picture = np.empty((self.height, self.width, 4), np.uint8)
        self._resolve(api.COLOR_BUFFER_BIT)
        self._read(api.RGBA, api.UNSIGNED_BYTE, picture)
        return picture[::-1]

    def depth(self) -> NDArray[np.float32]:
        """The depths, 0 near to 1 far, the first row on top."""
        depths = np.empty((self.height, self.width), np.float32)
        self._resolve(api.DEPTH_BUFFER_BIT)
        self._read(api.DEPTH_COMPONENT, api.FLOAT, depths)
        return depths[::-1]

    def stencil(self) -> NDArray[np.uint8]:
        """The stencil's values, the first row on top."""
        values = np.empty((self.height, self.width), np.uint8)
        self._resolve(api.STENCIL_BUFFER_BIT)
        self._read(api.STENCIL_INDEX, api.UNSIGNED_BYTE, values)
        return values[::-1]

    def resolve(self) -> None:
        """Work the pixels out of their samples; reading them does so too."""
        self._resolve(api.COLOR_BUFFER_BIT)

    def _resolve(self, part: int) -> None:
        if self.framebuffer == self._readable:
            return
        corners = (0, 0, self.width, self.height)
        with api.doing("resolving the samples"):
            api.bind_framebuffer(api.READ_FRAMEBUFFER, self.framebuffer)
            api.bind_framebuffer(api.DRAW_FRAMEBUFFER, self._readable)
            api.blit_framebuffer(*corners, *corners, part, api.NEAREST)

    def _read(self, form: int, kind: int, into: api.Data) -> None:
        with api.doing("reading the picture back"):
            api.bind_framebuffer(api.FRAMEBUFFER, self._readable)
            api.pixel_store(api.PACK_ALIGNMENT, 1)
            api.read_pixels(0, 0, self.width, self.height, form, kind, into)

    def close(self) -> None:
        with api.doing("giving a framebuffer back"):
            for framebuffer in {self.framebuffer, self._readable}:
                api.drop(api.delete_framebuffers, framebuffer)
            for buffer in self._buffers:
                api.drop(api.delete_renderbuffers, buffer)
