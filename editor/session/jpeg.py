"""Decodes the JPEG pictures of data files; the engine has no decoder and takes this one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def decode_jpeg(data: bytes) -> NDArray[np.uint8] | None:
    """RGBA, rows from the top; None when Qt cannot decode it. The caller has checked the size."""
    import numpy as np  # numpy and Qt are only loaded for the rare world that has such a picture
    from PySide6.QtGui import QImage

    image = QImage.fromData(data, "JPEG")  # type: ignore[arg-type]  # the stub asks for bytes, which are refused
    if image.isNull():
        return None
    image = image.convertToFormat(QImage.Format.Format_RGBA8888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    pixels: NDArray[np.uint8] = rows[:, : 4 * image.width()].reshape(image.height(), image.width(), 4).copy()
    return pixels
