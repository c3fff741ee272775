"""The functions and names of OpenGL 3.3 that are called here, with types: PyOpenGL has none.

These are its raw functions, not its friendlier ones: they load in a quarter of the time and do nothing but call. Pass
an array as a numpy array or a ctypes one, and an offset in a bound buffer as `offset(bytes)`. Every call is followed by
a check of OpenGL's error flag, which costs a tenth of a microsecond; `doing` names the operation in progress.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, Final, NoReturn

from engine.render.errors import RenderError
from engine.render.gl.platform import settle_gl_platform

settle_gl_platform()

import OpenGL  # noqa: E402 (the platform has to be settled before)

OpenGL.ERROR_LOGGING = False
OpenGL.FORWARD_COMPATIBLE_ONLY = True

try:
    from OpenGL import platform as _platform
    from OpenGL.error import Error as _LibraryError
    from OpenGL.raw.GL._types import GLenum as _GLenum
    from OpenGL.raw.GL.VERSION import (
        GL_1_0,
        GL_1_1,
        GL_1_2,
        GL_1_3,
        GL_1_4,
        GL_1_5,
        GL_2_0,
        GL_3_0,
        GL_3_1,
        GL_3_2,
        GL_3_3,
    )
except (ImportError, AttributeError) as _error:  # the second one where a library of the system is missing
    raise RenderError("this system has no library of OpenGL to draw with (libEGL and libGL)") from _error

GlLibraryError: Final[type[Exception]] = _LibraryError
"""Raised by every refused call."""

# An array to read from or write to: a numpy array, a ctypes array or pointer, or None.
Data = Any

Asking = Callable[[int, int, Data], None]
Logging = Callable[[int, int, Data, Data], None]

# --- state

enable: Callable[[int], None] = GL_1_0.glEnable
disable: Callable[[int], None] = GL_1_0.glDisable
is_enabled: Callable[[int], int] = GL_1_0.glIsEnabled
viewport: Callable[[int, int, int, int], None] = GL_1_0.glViewport
scissor: Callable[[int, int, int, int], None] = GL_1_0.glScissor
depth_func: Callable[[int], None] = GL_1_0.glDepthFunc
depth_mask: Callable[[int], None] = GL_1_0.glDepthMask
depth_range: Callable[[float, float], None] = GL_1_0.glDepthRange
color_mask: Callable[[int, int, int, int], None] = GL_1_0.glColorMask
blend_func: Callable[[int, int], None] = GL_1_0.glBlendFunc
blend_func_separate: Callable[[int, int, int, int], None] = GL_1_4.glBlendFuncSeparate
cull_face: Callable[[int], None] = GL_1_0.glCullFace
front_face: Callable[[int], None] = GL_1_0.glFrontFace
polygon_mode: Callable[[int, int], None] = GL_1_0.glPolygonMode
polygon_offset: Callable[[float, float], None] = GL_1_1.glPolygonOffset
stencil_func: Callable[[int, int, int], None] = GL_1_0.glStencilFunc
stencil_op: Callable[[int, int, int], None] = GL_1_0.glStencilOp
stencil_mask: Callable[[int], None] = GL_1_0.glStencilMask
clear_color: Callable[[float, float, float, float], None] = GL_1_0.glClearColor
clear_depth: Callable[[float], None] = GL_1_0.glClearDepth
clear_stencil: Callable[[int], None] = GL_1_0.glClearStencil
clear: Callable[[int], None] = GL_1_0.glClear
finish: Callable[[], None] = GL_1_0.glFinish
flush: Callable[[], None] = GL_1_0.glFlush
get_integers: Callable[[int, Data], None] = GL_1_0.glGetIntegerv
read_buffer: Callable[[int], None] = GL_1_0.glReadBuffer
pixel_store: Callable[[int, int], None] = GL_1_0.glPixelStorei
read_pixels: Callable[[int, int, int, int, int, int, Data], None] = GL_1_0.glReadPixels
get_string: Callable[[int], bytes | None] = _platform.createBaseFunction(
    "glGetString",
    dll=_platform.PLATFORM.GL,
    resultType=ctypes.c_char_p,
    argTypes=(_GLenum,),
    argNames=("name",),
)  # the raw one of PyOpenGL 3.1.10 fails over its own result

# --- questions

gen_queries: Callable[[int, Data], None] = GL_1_5.glGenQueries
delete_queries: Callable[[int, Data], None] = GL_1_5.glDeleteQueries
begin_query: Callable[[int, int], None] = GL_1_5.glBeginQuery
end_query: Callable[[int], None] = GL_1_5.glEndQuery
get_query_object: Asking = GL_1_5.glGetQueryObjectuiv

# --- buffers and vertex arrays

gen_buffers: Callable[[int, Data], None] = GL_1_5.glGenBuffers
delete_buffers: Callable[[int, Data], None] = GL_1_5.glDeleteBuffers
bind_buffer: Callable[[int, int], None] = GL_1_5.glBindBuffer
buffer_data: Callable[[int, int, Data, int], None] = GL_1_5.glBufferData
buffer_sub_data: Callable[[int, int, int, Data], None] = GL_1_5.glBufferSubData
get_buffer_sub_data: Callable[[int, int, int, Data], None] = GL_1_5.glGetBufferSubData
gen_vertex_arrays: Callable[[int, Data], None] = GL_3_0.glGenVertexArrays
delete_vertex_arrays: Callable[[int, Data], None] = GL_3_0.glDeleteVertexArrays
bind_buffer_range: Callable[[int, int, int, int, int], None] = GL_3_0.glBindBufferRange
bind_vertex_array: Callable[[int], None] = GL_3_0.glBindVertexArray
enable_vertex_attrib_array: Callable[[int], None] = GL_2_0.glEnableVertexAttribArray
vertex_attrib_pointer: Callable[[int, int, int, int, int, Data], None] = GL_2_0.glVertexAttribPointer
vertex_attrib_i_pointer: Callable[[int, int, int, int, Data], None] = GL_3_0.glVertexAttribIPointer
vertex_attrib_divisor: Callable[[int, int], None] = GL_3_3.glVertexAttribDivisor
draw_arrays: Callable[[int, int, int], None] = GL_1_1.glDrawArrays
draw_elements: Callable[[int, int, int, Data], None] = GL_1_1.glDrawElements
draw_arrays_instanced: Callable[[int, int, int, int], None] = GL_3_1.glDrawArraysInstanced
multi_draw_arrays: Callable[[int, Data, Data, int], None] = GL_1_4.glMultiDrawArrays
multi_draw_elements: Callable[[int, Data, int, Data, int], None] = GL_1_4.glMultiDrawElements

# --- textures

gen_textures: Callable[[int, Data], None] = GL_1_1.glGenTextures
delete_textures: Callable[[int, Data], None] = GL_1_1.glDeleteTextures
bind_texture: Callable[[int, int], None] = GL_1_1.glBindTexture
active_texture: Callable[[int], None] = GL_1_3.glActiveTexture
tex_parameter: Callable[[int, int, int], None] = GL_1_0.glTexParameteri
tex_image_3d: Callable[[int, int, int, int, int, int, int, int, int, Data], None] = GL_1_2.glTexImage3D
tex_sub_image_3d: Callable[[int, int, int, int, int, int, int, int, int, int, Data], None] = GL_1_2.glTexSubImage3D
generate_mipmap: Callable[[int], None] = GL_3_0.glGenerateMipmap
tex_buffer: Callable[[int, int, int], None] = GL_3_1.glTexBuffer
gen_samplers: Callable[[int, Data], None] = GL_3_3.glGenSamplers
delete_samplers: Callable[[int, Data], None] = GL_3_3.glDeleteSamplers
sampler_parameter: Callable[[int, int, int], None] = GL_3_3.glSamplerParameteri
bind_sampler: Callable[[int, int], None] = GL_3_3.glBindSampler

# --- programs

create_shader: Callable[[int], int] = GL_2_0.glCreateShader
shader_source: Callable[[int, int, Data, Data], None] = GL_2_0.glShaderSource
compile_shader: Callable[[int], None] = GL_2_0.glCompileShader
get_shader: Asking = GL_2_0.glGetShaderiv
get_shader_log: Logging = GL_2_0.glGetShaderInfoLog
delete_shader: Callable[[int], None] = GL_2_0.glDeleteShader
create_program: Callable[[], int] = GL_2_0.glCreateProgram
attach_shader: Callable[[int, int], None] = GL_2_0.glAttachShader
link_program: Callable[[int], None] = GL_2_0.glLinkProgram
get_program: Asking = GL_2_0.glGetProgramiv
get_program_log: Logging = GL_2_0.glGetProgramInfoLog
delete_program: Callable[[int], None] = GL_2_0.glDeleteProgram
use_program: Callable[[int], None] = GL_2_0.glUseProgram
get_uniform_location: Callable[[int, bytes], int] = GL_2_0.glGetUniformLocation
get_uniform_block_index: Callable[[int, bytes], int] = GL_3_1.glGetUniformBlockIndex
uniform_block_binding: Callable[[int, int, int], None] = GL_3_1.glUniformBlockBinding
uniform_1fv: Callable[[int, int, Data], None] = GL_2_0.glUniform1fv
uniform_1i: Callable[[int, int], None] = GL_2_0.glUniform1i
uniform_1f: Callable[[int, float], None] = GL_2_0.glUniform1f
uniform_2f: Callable[[int, float, float], None] = GL_2_0.glUniform2f
uniform_3f: Callable[[int, float, float, float], None] = GL_2_0.glUniform3f
uniform_4f: Callable[[int, float, float, float, float], None] = GL_2_0.glUniform4f

# --- framebuffers

gen_framebuffers: Callable[[int, Data], None] = GL_3_0.glGenFramebuffers
delete_framebuffers: Callable[[int, Data], None] = GL_3_0.glDeleteFramebuffers
bind_framebuffer: Callable[[int, int], None] = GL_3_0.glBindFramebuffer
framebuffer_renderbuffer: Callable[[int, int, int, int], None] = GL_3_0.glFramebufferRenderbuffer
check_framebuffer_status: Callable[[int], int] = GL_3_0.glCheckFramebufferStatus
gen_renderbuffers: Callable[[int, Data], None] = GL_3_0.glGenRenderbuffers
delete_renderbuffers: Callable[[int, Data], None] = GL_3_0.glDeleteRenderbuffers
bind_renderbuffer: Callable[[int, int], None] = GL_3_0.glBindRenderbuffer
renderbuffer_storage: Callable[[int, int, int, int], None] = GL_3_0.glRenderbufferStorage
renderbuffer_storage_multisample: Callable[[int, int, int, int, int], None] = GL_3_0.glRenderbufferStorageMultisample
blit_framebuffer: Callable[[int, int, int, int, int, int, int, int, int, int], None] = GL_3_0.glBlitFramebuffer

# --- names

FALSE: Final = 0
TRUE: Final = 1

BLEND: Final = int(GL_1_0.GL_BLEND)
CULL_FACE: Final = int(GL_1_0.GL_CULL_FACE)
DEPTH_TEST: Final = int(GL_1_0.GL_DEPTH_TEST)
STENCIL_TEST: Final = int(GL_1_0.GL_STENCIL_TEST)
SCISSOR_TEST: Final = int(GL_1_0.GL_SCISSOR_TEST)
DEPTH_CLAMP: Final = int(GL_3_2.GL_DEPTH_CLAMP)
POLYGON_OFFSET_FILL: Final = int(GL_1_1.GL_POLYGON_OFFSET_FILL)
MULTISAMPLE: Final = int(GL_1_3.GL_MULTISAMPLE)
CLIP_DISTANCE0: Final = int(GL_3_0.GL_CLIP_DISTANCE0)
CLIP_DISTANCE1: Final = CLIP_DISTANCE0 + 1
DITHER: Final = int(GL_1_0.GL_DITHER)
LINE_SMOOTH: Final = int(GL_1_0.GL_LINE_SMOOTH)
FRAMEBUFFER_SRGB: Final = int(GL_3_0.GL_FRAMEBUFFER_SRGB)

ALWAYS: Final = int(GL_1_0.GL_ALWAYS)
LESS: Final = int(GL_1_0.GL_LESS)
LEQUAL: Final = int(GL_1_0.GL_LEQUAL)
GREATER: Final = int(GL_1_0.GL_GREATER)
EQUAL: Final = int(GL_1_0.GL_EQUAL)
KEEP: Final = int(GL_1_0.GL_KEEP)
REPLACE: Final = int(GL_1_0.GL_REPLACE)
BACK: Final = int(GL_1_0.GL_BACK)
CW: Final = int(GL_1_0.GL_CW)
CCW: Final = int(GL_1_0.GL_CCW)
FRONT_AND_BACK: Final = int(GL_1_0.GL_FRONT_AND_BACK)
FILL: Final = int(GL_1_0.GL_FILL)
LINE: Final = int(GL_1_0.GL_LINE)
ANY_SAMPLES_PASSED: Final = int(GL_3_3.GL_ANY_SAMPLES_PASSED)
QUERY_RESULT: Final = int(GL_1_5.GL_QUERY_RESULT)

ZERO: Final = int(GL_1_0.GL_ZERO)
ONE: Final = int(GL_1_0.GL_ONE)
SRC_ALPHA: Final = int(GL_1_0.GL_SRC_ALPHA)
DST_COLOR: Final = int(GL_1_0.GL_DST_COLOR)
ONE_MINUS_DST_COLOR: Final = int(GL_1_0.GL_ONE_MINUS_DST_COLOR)
ONE_MINUS_SRC_ALPHA: Final = int(GL_1_0.GL_ONE_MINUS_SRC_ALPHA)

COLOR_BUFFER_BIT: Final = int(GL_1_0.GL_COLOR_BUFFER_BIT)
DEPTH_BUFFER_BIT: Final = int(GL_1_0.GL_DEPTH_BUFFER_BIT)
STENCIL_BUFFER_BIT: Final = int(GL_1_0.GL_STENCIL_BUFFER_BIT)

POINTS: Final = int(GL_1_0.GL_POINTS)
LINES: Final = int(GL_1_0.GL_LINES)
TRIANGLES: Final = int(GL_1_0.GL_TRIANGLES)
TRIANGLE_STRIP: Final = int(GL_1_0.GL_TRIANGLE_STRIP)
TRIANGLE_FAN: Final = int(GL_1_0.GL_TRIANGLE_FAN)

UNSIGNED_BYTE: Final = int(GL_1_0.GL_UNSIGNED_BYTE)
UNSIGNED_SHORT: Final = int(GL_1_0.GL_UNSIGNED_SHORT)
SHORT: Final = int(GL_1_0.GL_SHORT)
INT: Final = int(GL_1_0.GL_INT)
UNSIGNED_INT: Final = int(GL_1_0.GL_UNSIGNED_INT)
FLOAT: Final = int(GL_1_0.GL_FLOAT)
RED: Final = int(GL_1_0.GL_RED)
RGBA: Final = int(GL_1_0.GL_RGBA)
R8: Final = int(GL_3_0.GL_R8)
RGBA8: Final = int(GL_1_1.GL_RGBA8)
RGBA32F: Final = int(GL_3_0.GL_RGBA32F)
DEPTH_COMPONENT: Final = int(GL_1_0.GL_DEPTH_COMPONENT)
STENCIL_INDEX: Final = int(GL_1_0.GL_STENCIL_INDEX)
DEPTH24_STENCIL8: Final = int(GL_3_0.GL_DEPTH24_STENCIL8)

ARRAY_BUFFER: Final = int(GL_1_5.GL_ARRAY_BUFFER)
ELEMENT_ARRAY_BUFFER: Final = int(GL_1_5.GL_ELEMENT_ARRAY_BUFFER)
UNIFORM_BUFFER: Final = int(GL_3_1.GL_UNIFORM_BUFFER)
UNIFORM_BUFFER_OFFSET_ALIGNMENT: Final = int(GL_3_1.GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT)
INVALID_INDEX: Final = int(GL_3_1.GL_INVALID_INDEX)
TEXTURE_BUFFER: Final = int(GL_3_1.GL_TEXTURE_BUFFER)
STATIC_DRAW: Final = int(GL_1_5.GL_STATIC_DRAW)
DYNAMIC_DRAW: Final = int(GL_1_5.GL_DYNAMIC_DRAW)
STREAM_DRAW: Final = int(GL_1_5.GL_STREAM_DRAW)

TEXTURE0: Final = int(GL_1_3.GL_TEXTURE0)
TEXTURE_2D_ARRAY: Final = int(GL_3_0.GL_TEXTURE_2D_ARRAY)
TEXTURE_MAX_LEVEL: Final = int(GL_1_2.GL_TEXTURE_MAX_LEVEL)
TEXTURE_MIN_FILTER: Final = int(GL_1_0.GL_TEXTURE_MIN_FILTER)
TEXTURE_MAG_FILTER: Final = int(GL_1_0.GL_TEXTURE_MAG_FILTER)
TEXTURE_WRAP_S: Final = int(GL_1_0.GL_TEXTURE_WRAP_S)
TEXTURE_WRAP_T: Final = int(GL_1_0.GL_TEXTURE_WRAP_T)
NEAREST: Final = int(GL_1_0.GL_NEAREST)
LINEAR: Final = int(GL_1_0.GL_LINEAR)
LINEAR_MIPMAP_NEAREST: Final = int(GL_1_0.GL_LINEAR_MIPMAP_NEAREST)
LINEAR_MIPMAP_LINEAR: Final = int(GL_1_0.GL_LINEAR_MIPMAP_LINEAR)
REPEAT: Final = int(GL_1_0.GL_REPEAT)
CLAMP_TO_EDGE: Final = int(GL_1_2.GL_CLAMP_TO_EDGE)
UNPACK_ALIGNMENT: Final = int(GL_1_0.GL_UNPACK_ALIGNMENT)
PACK_ALIGNMENT: Final = int(GL_1_0.GL_PACK_ALIGNMENT)

VERTEX_SHADER: Final = int(GL_2_0.GL_VERTEX_SHADER)
FRAGMENT_SHADER: Final = int(GL_2_0.GL_FRAGMENT_SHADER)
GEOMETRY_SHADER: Final = int(GL_3_2.GL_GEOMETRY_SHADER)
COMPILE_STATUS: Final = int(GL_2_0.GL_COMPILE_STATUS)
LINK_STATUS: Final = int(GL_2_0.GL_LINK_STATUS)
INFO_LOG_LENGTH: Final = int(GL_2_0.GL_INFO_LOG_LENGTH)

FRAMEBUFFER: Final = int(GL_3_0.GL_FRAMEBUFFER)
READ_FRAMEBUFFER: Final = int(GL_3_0.GL_READ_FRAMEBUFFER)
DRAW_FRAMEBUFFER: Final = int(GL_3_0.GL_DRAW_FRAMEBUFFER)
RENDERBUFFER: Final = int(GL_3_0.GL_RENDERBUFFER)
COLOR_ATTACHMENT0: Final = int(GL_3_0.GL_COLOR_ATTACHMENT0)
DEPTH_STENCIL_ATTACHMENT: Final = int(GL_3_0.GL_DEPTH_STENCIL_ATTACHMENT)
FRAMEBUFFER_COMPLETE: Final = int(GL_3_0.GL_FRAMEBUFFER_COMPLETE)

VENDOR: Final = int(GL_1_0.GL_VENDOR)
VERSION: Final = int(GL_1_0.GL_VERSION)
RENDERER: Final = int(GL_1_0.GL_RENDERER)
MAX_ARRAY_TEXTURE_LAYERS: Final = int(GL_3_0.GL_MAX_ARRAY_TEXTURE_LAYERS)
MAX_TEXTURE_SIZE: Final = int(GL_1_0.GL_MAX_TEXTURE_SIZE)
MAX_SAMPLES: Final = int(GL_3_0.GL_MAX_SAMPLES)

_ERRORS: Final = {
    0x0500: "invalid enumerant",
    0x0501: "invalid value",
    0x0502: "invalid operation",
    0x0503: "stack overflow",
    0x0504: "stack underflow",
    0x0505: "out of memory",
    0x0506: "invalid framebuffer operation",
}


class doing:  # noqa: N801  # it reads as a word: with api.doing("sending vertices")
    """Turn OpenGL's errors into ours, which name the operation in progress. A frame has a hundred of them, too many for
    a context manager made from a generator."""

    __slots__ = ("_what",)

    def __init__(self, what: str) -> None:
        self._what = what

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if isinstance(error, GlLibraryError):
            refuse(self._what, error)


def refuse(what: str, error: Exception) -> NoReturn:
    """Raise the library's error as ours."""
    number = getattr(error, "err", None)
    function = getattr(getattr(error, "baseOperation", None), "__name__", "")
    reason = str(error) if number is None else _ERRORS.get(number, f"error 0x{number:04X}")
    raise RenderError(f"OpenGL failed at {what}: {reason}{f' ({function})' if function else ''}") from error


def offset(size: int) -> Data:
    """A place in the bound buffer, where a function would also take an address."""
    return ctypes.c_void_p(size)


def make(generate: Callable[[int, Data], None]) -> int:
    """One new name of the kind that `generate` makes."""
    names = (ctypes.c_uint * 1)()
    generate(1, names)
    return int(names[0])


def drop(delete: Callable[[int, Data], None], name: int) -> None:
    delete(1, (ctypes.c_uint * 1)(name))


def integer(name: int) -> int:
    """A limit or a piece of state."""
    values = (ctypes.c_int * 4)()
    get_integers(name, values)
    return int(values[0])


class Egl:
    """The functions of EGL that make a context without a window. Only where that library is: on Linux."""

    OPENGL: Final = 0x30A2
    SURFACELESS: Final = 0x31DD
    """EGL_PLATFORM_SURFACELESS_MESA: needs neither a display nor a graphics card."""

    def __init__(self) -> None:
        try:
            from OpenGL.raw.EGL._types import EGLConfig
            from OpenGL.raw.EGL.VERSION import EGL_1_0, EGL_1_2, EGL_1_5
        except (ImportError, AttributeError) as error:  # the second one for a library without the functions
            raise RenderError("this system has no EGL, which alone draws without a display") from error
        self.config_type: Any = EGLConfig
        self.get_platform_display: Callable[[int, Data, Data], Any] = EGL_1_5.eglGetPlatformDisplay
        self.initialize: Callable[[Any, Data, Data], int] = EGL_1_0.eglInitialize
        self.terminate: Callable[[Any], int] = EGL_1_0.eglTerminate
        self.bind_api: Callable[[int], int] = EGL_1_2.eglBindAPI
        self.choose_config: Callable[[Any, Data, Data, int, Data], int] = EGL_1_0.eglChooseConfig
        self.create_context: Callable[[Any, Any, Any, Data], Any] = EGL_1_0.eglCreateContext
        self.make_current: Callable[[Any, Any, Any, Any], int] = EGL_1_0.eglMakeCurrent
        self.destroy_context: Callable[[Any, Any], int] = EGL_1_0.eglDestroyContext
