"""Where the rows of a database's table are by one of its columns: an index in memory for tables that have none."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int64]


class RowPlaces:
    """Row ids by the values of a column; 16 bytes for each row."""

    def __init__(self, rows: Iterable[tuple[int, int]]) -> None:
        """Take pairs of value and row id."""
        values, places = array("q"), array("q")
        for value, place in rows:
            values.append(value)
            places.append(place)
        unsorted: Numbers = np.frombuffer(values, np.int64)
        order = np.argsort(unsorted, kind="stable")
        self._values: Numbers = unsorted[order]
        self._places: Numbers = np.frombuffer(places, np.int64)[order]

    def __len__(self) -> int:
        return len(self._places)

    def of(self, values: Sequence[int]) -> list[int]:
        """The ids of all rows with one of these values."""
        wanted = np.unique(np.asarray(values, np.int64))
        first = np.searchsorted(self._values, wanted, "left")
        last = np.searchsorted(self._values, wanted, "right")
        return [int(place) for start, end in zip(first, last, strict=True) for place in self._places[start:end]]
