"""The block formats DXT1, DXT3 and DXT5 (BC1 - BC3), 4 by 4 pixels each (dat-format.md 3.7.2).

Colour block: two R5G6B5 colours, then 2 bits for each pixel, the first pixel in the lowest bits. The two colours
between are a third and two thirds of the way; in DXT1 with the first colour not above the second there is only the one
in the middle, and the fourth is transparent black. Alpha: 4 bits for each pixel in DXT3; in DXT5 two values, then 3
bits for each pixel, with six values between the two, or four and the constants 0 and 255 when the first is not above
the second.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float32]

_REFINEMENTS: Final = 2
"""Rounds of refitting the end colours to the chosen indices; a third gains nothing visible."""

_OPAQUE_FROM: Final = 128
"""DXT1 knows transparent or opaque: the half decides."""


def block_counts(width: int, height: int) -> tuple[int, int]:
    """Blocks in a row, and rows of blocks."""
    return (width + 3) // 4, (height + 3) // 4


def decode_blocks(data: bytes, width: int, height: int, alpha_bits: int) -> Bytes:
    """(height, width, 4); `alpha_bits` is 0 for DXT1, 4 for DXT3, 3 for DXT5."""
    across, down = block_counts(width, height)
    blocks = np.frombuffer(data, np.uint8).reshape(across * down, 16 if alpha_bits else 8)
    pixels = _decode_colors(blocks[:, -8:], punch_through=alpha_bits == 0)
    if alpha_bits == 4:
        nibbles = np.stack([blocks[:, :8] & 15, blocks[:, :8] >> 4], axis=-1)
        pixels[:, :, 3] = nibbles.reshape(-1, 16) * 17
    elif alpha_bits == 3:
        pixels[:, :, 3] = _decode_alphas(blocks[:, :8])
    image = pixels.reshape(down, across, 4, 4, 4).swapaxes(1, 2).reshape(down * 4, across * 4, 4)
    return np.ascontiguousarray(image[:height, :width])


def expand_565(words: NDArray[np.uint16]) -> NDArray[np.int32]:
    """8-bit red, green and blue; the upper bits are repeated below, so that the largest value becomes 255."""
    wide = words.astype(np.int32)
    red, green, blue = wide >> 11, wide >> 5 & 63, wide & 31
    return np.stack([red << 3 | red >> 2, green << 2 | green >> 4, blue << 3 | blue >> 2], axis=-1)


def pack_565(colors: NDArray[np.int32]) -> NDArray[np.uint16]:
    """The nearest R5G6B5 of 8-bit red, green and blue."""
    levels = np.array([31, 63, 31], np.int32)
    red, green, blue = np.moveaxis((colors[..., :3] * levels + 127) // 255, -1, 0)
    words: NDArray[np.uint16] = (red << 11 | green << 5 | blue).astype(np.uint16)
    return words


def _decode_colors(blocks: Bytes, punch_through: bool) -> Bytes:
    words = np.ascontiguousarray(blocks[:, :4]).view("<u2")
    table = np.zeros((len(blocks), 4, 4), np.uint8)
    table[:, :, :3] = _between(expand_565(words[:, 0]), expand_565(words[:, 1]))
    table[:, :, 3] = 255
    if punch_through:
        three = words[:, 0] <= words[:, 1]
        ends = table[three, :2].astype(np.int32)
        table[three, 2] = (ends[:, 0] + ends[:, 1] + 1) // 2
        table[three, 3] = 0
    bits = np.ascontiguousarray(blocks[:, 4:]).view("<u4")
    indices = bits >> (2 * np.arange(16, dtype=np.uint32)) & 3
    return np.take_along_axis(table, indices.astype(np.int64)[:, :, None], axis=1)


def _between(first: NDArray[np.int32], second: NDArray[np.int32]) -> NDArray[np.int32]:
    """The two ends and the colours at one and two thirds, rounded."""
    return np.stack([first, second, (2 * first + second + 1) // 3, (first + 2 * second + 1) // 3], axis=1)


def _decode_alphas(blocks: Bytes) -> Bytes:
    table = _alpha_table(blocks[:, 0].astype(np.int32), blocks[:, 1].astype(np.int32))
    bits = np.zeros(len(blocks), np.uint64)
    for at in range(6):
        bits |= blocks[:, 2 + at].astype(np.uint64) << np.uint64(8 * at)
    indices = bits[:, None] >> (np.uint64(3) * np.arange(16, dtype=np.uint64)) & np.uint64(7)
    return np.take_along_axis(table, indices.astype(np.int64), axis=1)


def _alpha_table(first: NDArray[np.int32], second: NDArray[np.int32]) -> Bytes:
    steps = np.arange(1, 7)
    eight = ((7 - steps) * first[:, None] + steps * second[:, None] + 3) // 7
    steps = np.arange(1, 5)
    six = ((5 - steps) * first[:, None] + steps * second[:, None] + 2) // 5
    constants = np.broadcast_to(np.array([0, 255]), (len(first), 2))
    middle = np.where((first > second)[:, None], eight, np.concatenate([six, constants], axis=1))
    return np.concatenate([first[:, None], second[:, None], middle], axis=1).astype(np.uint8)


def encode_blocks(image: Bytes, with_alpha: bool) -> bytes:
    """DXT5 of a (height, width, 4) image, or DXT1, in which pixels less than half opaque become transparent black."""
    height, width = image.shape[:2]
    across, down = block_counts(width, height)
    padded = np.pad(image, ((0, down * 4 - height), (0, across * 4 - width), (0, 0)), mode="edge")
    pixels = padded.reshape(down, 4, across, 4, 4).swapaxes(1, 2).reshape(-1, 16, 4)
    if with_alpha:
        counted = np.ones(pixels.shape[:2], bool)
        return np.concatenate([_encode_alphas(pixels[:, :, 3]), _encode_colors(pixels, counted)], axis=1).tobytes()
    return _encode_colors(pixels, pixels[:, :, 3] >= _OPAQUE_FROM).tobytes()


def _encode_colors(pixels: Bytes, counted: NDArray[np.bool_]) -> Bytes:
    """Colour blocks; pixels that are not counted take the transparent colour of the three-colour form."""
    colors = pixels[:, :, :3].astype(np.float32)
    weights = counted.astype(np.float32)
    three: NDArray[np.bool_] = np.logical_not(np.all(counted, axis=1))
    shares = np.where(three[:, None], np.array([0, 1, 0.5, 0]), np.array([0, 1, 1 / 3, 2 / 3])).astype(np.float32)
    first, second = _principal_ends(colors, weights)
    best_words, best_indices, best_error = _assign(colors, weights, three, first, second)
    for _ in range(_REFINEMENTS):
        position = np.take_along_axis(shares, best_indices, axis=1)
        first, second = _solve_ends(colors, weights, position, first, second)
        words, indices, error = _assign(colors, weights, three, first, second)
        better = error < best_error
        best_words[better], best_indices[better], best_error[better] = words[better], indices[better], error[better]
    best_indices[~counted] = 3
    return _pack_colors(best_words, best_indices)


def _principal_ends(colors: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """The outermost colours along the line through the mean on which the colours vary most."""
    total = np.maximum(weights.sum(axis=1), 1)[:, None]
    mean = (colors * weights[:, :, None]).sum(axis=1) / total
    offsets = (colors - mean[:, None]) * weights[:, :, None]
    # Sums in one order: einsum and norm are made of what a processor does best.
    covariance = (offsets[:, :, :, None] * offsets[:, :, None, :]).sum(axis=1)
    axis = covariance.sum(axis=2) + np.float32(1e-3)
    for _ in range(8):
        axis = (covariance * axis[:, None, :]).sum(axis=2)
        axis /= np.maximum(np.abs(axis).max(axis=1, keepdims=True), 1e-6)
    axis /= np.maximum(np.sqrt((axis * axis).sum(axis=1, keepdims=True)), 1e-6)
    along = (offsets * axis[:, None, :]).sum(axis=2)
    first: Floats = mean + along.max(axis=1)[:, None] * axis
    second: Floats = mean + along.min(axis=1)[:, None] * axis
    return first, second


def _solve_ends(
    colors: Floats, weights: Floats, position: Floats, first: Floats, second: Floats
) -> tuple[Floats, Floats]:
    """The end colours with the least squared error when each pixel lies at its position between them."""
    near, far = (1 - position) * weights, position * weights
    a, b, c = (near * near).sum(axis=1), (near * far).sum(axis=1), (far * far).sum(axis=1)
    determinant = a * c - b * b
    solvable = determinant > 1e-6
    scale = np.where(solvable, 1 / np.where(solvable, determinant, 1), 0)[:, None]
    x = (near[:, :, None] * colors).sum(axis=1)
    y = (far[:, :, None] * colors).sum(axis=1)
    solved_first = (c[:, None] * x - b[:, None] * y) * scale
    solved_second = (a[:, None] * y - b[:, None] * x) * scale
    return np.where(solvable[:, None], solved_first, first), np.where(solvable[:, None], solved_second, second)


def _assign(
    colors: Floats, weights: Floats, three: NDArray[np.bool_], first: Floats, second: Floats
) -> tuple[NDArray[np.uint16], NDArray[np.int64], Floats]:
    """Stored end colours, the nearest index for each pixel, and the error that is left for each block."""
    ends = np.stack([_round_565(first), _round_565(second)], axis=1)
    # The order of the ends says which form it is: three colours when the first is not above the second.
    wrong = np.where(three, ends[:, 0] > ends[:, 1], ends[:, 0] < ends[:, 1])
    ends[wrong] = ends[wrong][:, ::-1]
    low, high = expand_565(ends[:, 0]), expand_565(ends[:, 1])
    table = _between(low, high)
    table[three, 2] = (low[three] + high[three] + 1) // 2
    error = np.square(colors[:, :, None] - table[:, None].astype(np.float32)).sum(axis=3)
    error[three, :, 3] = np.inf
    # Equal ends read as the three-colour form, whose fourth colour is transparent.
    error[ends[:, 0] == ends[:, 1], :, 1:] = np.inf
    indices = error.argmin(axis=2)
    nearest = np.take_along_axis(error, indices[:, :, None], axis=2)[:, :, 0]
    return ends, indices, (nearest * weights).sum(axis=1)


def _round_565(colors: Floats) -> NDArray[np.uint16]:
    return pack_565(np.clip(np.rint(colors), 0, 255).astype(np.int32))


def _pack_colors(words: NDArray[np.uint16], indices: NDArray[np.int64]) -> Bytes:
    bits = (indices.astype(np.uint32) << (2 * np.arange(16, dtype=np.uint32))).sum(axis=1, dtype=np.uint32)
    return np.concatenate(
        [words.astype("<u2").view(np.uint8).reshape(-1, 4), bits.astype("<u4").view(np.uint8).reshape(-1, 4)], axis=1
    )


def _encode_alphas(alphas: Bytes) -> Bytes:
    """Between the largest and the smallest value of the block, in eight steps."""
    first, second = alphas.max(axis=1), alphas.min(axis=1)
    table = _alpha_table(first.astype(np.int32), second.astype(np.int32)).astype(np.int32)
    distance = np.abs(alphas[:, :, None].astype(np.int32) - table[:, None])
    # With equal ends the rest of the table holds other constants; the first value is right for all.
    distance[first == second, :, 1:] = 256
    indices = distance.argmin(axis=2).astype(np.uint64)
    bits = (indices << (np.uint64(3) * np.arange(16, dtype=np.uint64))).sum(axis=1, dtype=np.uint64)
    packed = bits.astype("<u8").view(np.uint8).reshape(-1, 8)[:, :6]
    return np.concatenate([first[:, None], second[:, None], packed], axis=1)
