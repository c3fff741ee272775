"""Whatever is done to the file, a whole session that is written to it at the end is followed whole."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.sim.captures.live.follower import Follower
from tests.sim.live.captures import append, follow_all, lines, rooms

WORLD, RECORDS = rooms()
TEXT = lines(RECORDS[:6])
DONE = st.one_of(
    st.tuples(st.just("append"), st.integers(0, len(TEXT))),
    st.tuples(st.just("nonsense"), st.integers(0, 300)),
    st.tuples(st.sampled_from(["truncate", "replace", "delete", "end the line", "look"]), st.just(0)),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(DONE, max_size=12))
def test_the_last_session_comes_whole_whatever_was_done_before(done: list[tuple[str, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path, new = Path(folder) / "live.jsonl", Path(folder) / "new"
        follower = Follower(path, WORLD.load())
        for what, size in done:
            if what == "append":
                append(path, TEXT[:size])
            elif what == "nonsense":
                append(path, bytes(range(256))[:size] * 3)
            elif what == "end the line":
                append(path, b"\n")
            elif what == "truncate":
                path.write_bytes(b"")
            elif what == "delete":
                path.unlink(missing_ok=True)
            elif what == "replace":
                new.write_bytes(TEXT[:100])
                os.replace(new, path)
            else:
                follow_all(follower)
        follow_all(follower)
        append(path, b"\n" + TEXT)
        follow_all(follower)
        append(path, TEXT)
        turn = follow_all(follower)
        assert [followed.record.tick for followed in turn.records] == [record.tick for record in RECORDS[:6]]
        assert turn.sessions == 1
        assert all(replay.agrees for followed in turn.records for replay in followed.replays)
        assert len(follower.kept) == follower.kept.end
        follower.close()
