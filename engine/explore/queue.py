"""The states that wait to be expanded."""

from __future__ import annotations


class LevelQueue:
    """By level, the lowest first; in a level the soonest first, and of equals the one that came last."""

    _queues: list[dict[int, list[int]]]
    _cursors: list[int]
    _lengths: list[int]
    length: int

    def __init__(self, levels: int) -> None:
        self._queues = [{} for _ in range(levels)]
        self._cursors = [0 for _ in range(levels)]
        self._lengths = [0 for _ in range(levels)]
        self.length = 0

    def push(self, state: int, since: int, level: int) -> None:
        queue = self._queues[level]
        states = queue.get(since)
        if states is None:
            queue[since] = [state]
        else:
            states.append(state)
        if self._lengths[level] == 0 or since < self._cursors[level]:
            self._cursors[level] = since
        self._lengths[level] += 1
        self.length += 1

    def next(self) -> int:
        """Take the next one out; -1 when there is none."""
        for level in range(len(self._queues)):
            if self._lengths[level] == 0:
                continue
            queue = self._queues[level]
            at = self._cursors[level]
            while at not in queue:
                at += 1
            self._cursors[level] = at
            states = queue[at]
            state = states.pop()
            if not states:
                del queue[at]
            self._lengths[level] -= 1
            self.length -= 1
            return state
        return -1
