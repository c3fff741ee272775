"""The same landblocks on a Dask cluster: the one module that calls `distributed`.

The scheduler gives a lost worker's tasks to others. A task's answers come as a whole, and only the first time it is
done, so that nothing is lost and nothing comes twice. A batch with which workers keep ending is done landblock by
landblock, and the one that does it is given up. Workers need Cellar Door, in the same version, and the world's files
under the same path.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from importlib import import_module
from queue import Empty, SimpleQueue
from typing import Any, Final

from editor.process.demo_name import DEMO
from editor.process.memory import peak_megabytes
from editor.process.own_parts import is_frozen
from editor.survey.errors import SurveyError
from editor.survey.processes import FIRST_IMPORT, MOST_MEMORY
from editor.survey.task import BlockDone, Item, Work, do_batch, put_away, versions
from editor.survey.workers import Told, not_done

NO_LIBRARY: Final = 'a cluster needs the extra `cluster`, which this does: pip install "cellar-door[cluster]"'
NOT_HERE: Final = "a cluster needs an installation by pip with the extra `cluster`: this program comes without Dask"
CONNECT_S: Final = 10.0
COUNT_EVERY: Final = 2.0
LOOK_S: Final = 1.0
LOST_S: Final = 30.0
"""Seconds that a connection may be lost before the survey is."""
AHEAD: Final = 3
"""Batches that are under way for each thread of the cluster's workers."""
MORE: Final = 40.0
"""Megabytes by which the most memory of a process has to grow until its world is closed once more."""
_opened_again_at = 0.0
FETCH_S: Final = 30.0
"""Seconds after which answers that do not come are lost with their worker."""
LOST: Final = ("KilledWorker", "CommClosedError")


class Cluster:
    """The workers of a scheduler."""

    def __init__(self, address: str, told: Told, connect_s: float = CONNECT_S) -> None:
        """Connect; raises a SurveyError when no scheduler answers, or its workers cannot do the work."""
        try:
            import distributed
        except ImportError as error:
            raise SurveyError(NOT_HERE if is_frozen() else NO_LIBRARY) from error
        self._address = address
        self._told = told
        self._library: Any = distributed
        self._ended: SimpleQueue[Any] = SimpleQueue()
        self._threads, self._counted = 0, -COUNT_EVERY
        self._under_way: dict[str, tuple[Item, ...]] = {}
        for name in ("distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters is told in sentences
        try:
            self._client: Any = self._library.Client(address, timeout=connect_s, set_as_default=False)
        except (OSError, ValueError, ImportError) as error:
            raise SurveyError(f"no scheduler answers there: {_first_line(error)}", address) from error

    def close(self) -> None:
        with contextlib.suppress(OSError, RuntimeError, TimeoutError):
            self._client.close(timeout=1.0)

    def run(self, work: Work, batches: Iterable[tuple[Item, ...]]) -> Iterator[BlockDone]:
        if work.source != DEMO:
            work = replace(work, source=os.path.abspath(work.source))
        self._check(work)
        waiting = iter(batches)
        is_over = False
        while True:
            while not is_over and len(self._under_way) < AHEAD * max(self.threads, 1):
                batch = next(waiting, None)
                if batch is None:
                    is_over = True
                else:
                    self._submit(work, batch)
            if not self._under_way:
                return
            future = self._next()
            batch = self._under_way.pop(future.key)
            yield from self._answers(work, batch, future)
            future.release()

    def _next(self) -> Any:
        """The next task that has ended, in whichever way."""
        since: float | None = None
        while True:
            try:
                return self._ended.get(timeout=LOOK_S)
            except Empty:
                now = time.monotonic()
                since = None if self._client.status == "running" else since or now
                if since is not None and now - since > LOST_S:
                    raise self._lost() from None

    def _lost(self) -> SurveyError:
        return SurveyError("the scheduler was lost; the journal of --out has what is done", self._address)

    @property
    def threads(self) -> int:
        """Of all workers that were there a moment ago."""
        now = time.monotonic()
        if now - self._counted >= COUNT_EVERY:
            self._counted = now
            with contextlib.suppress(OSError, RuntimeError):  # lost; that is seen where answers are waited for
                self._threads = sum(self._client.nthreads().values())
        return self._threads

    def _submit(self, work: Work, batch: tuple[Item, ...]) -> None:
        future = self._client.submit(do_task, work, batch, pure=False)
        self._under_way[future.key] = batch
        future.add_done_callback(self._ended.put)

    def _answers(self, work: Work, batch: tuple[Item, ...], future: Any) -> Iterable[BlockDone]:
        """What a task that has ended tells. Its answers are lost if its worker ends before they are fetched: then it is
        done again."""
        status = future.status
        if status == "cancelled":
            raise self._lost()
        if status == "error":
            return self._failed(work, batch, future.exception())
        if status == "finished":
            try:
                done: list[BlockDone] = future.result(timeout=FETCH_S)
            except (TimeoutError, asyncio.TimeoutError):  # two types until Python 3.11
                pass
            except Exception as error:
                raise self._lost() from error
            else:
                return done
        self._submit(work, batch)
        return ()

    def _failed(self, work: Work, batch: tuple[Item, ...], error: BaseException) -> Iterator[BlockDone]:
        if type(error).__name__ not in LOST:
            raise SurveyError(f"a worker of the cluster failed: {_first_line(error)}", self._address)
        if len(batch) == 1:
            yield not_done(work, batch[0], "its workers kept ending")
            return
        self._told(f"workers ended with a batch of {len(batch)} landblocks; they are done one by one")
        for item in batch:
            self._submit(work, (item,))

    def _check(self, work: Work) -> None:
        """Whether the workers that are there have this program."""
        first_import = partial(import_module, FIRST_IMPORT)
        try:  # both read by name what they are sent
            self._client.run_on_scheduler(first_import)
            with contextlib.suppress(ImportError):  # told below, with the worker's name
                self._client.register_worker_callbacks(setup=first_import)  # for those that come later as well
            found = self._client.run(versions, work.parts, on_error="return")
        except ImportError as error:
            raise SurveyError(f"its scheduler has no Cellar Door: {_first_line(error)}", self._address) from error
        except Exception as error:
            raise self._lost() from error
        if not found:
            self._told("the cluster has no workers yet; the survey waits for some")
        for name, answer in found.items():
            if isinstance(answer, Exception):
                raise SurveyError(f"its worker {name} cannot do it: {_first_line(answer)}", self._address)
            if answer != work.versions:
                raise SurveyError(f"its worker {name} has another version of Cellar Door", self._address)


def do_task(work: Work, items: tuple[Item, ...]) -> list[BlockDone]:
    """One task of a cluster's worker. The process stays, so a world that has grown is closed."""
    done = do_batch(work, items)
    global _opened_again_at
    if peak_megabytes() > max(MOST_MEMORY, _opened_again_at + MORE):
        _opened_again_at = peak_megabytes()
        put_away()
    return done


def _first_line(error: BaseException | None) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:300]
