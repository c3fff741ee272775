"""Settings and messages, whatever is fed to them."""

from __future__ import annotations

import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from editor.models.survey.settings import SCALES, SurveySettings, read_settings
from editor.models.survey.wire import Inbox, Message

VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.lists(st.text(max_size=8), max_size=4)
)


@given(st.dictionaries(st.sampled_from([*SurveySettings().form(), "else"]), VALUES))
def test_any_form_gives_settings_in_range(form: dict[str, object]) -> None:
    settings = read_settings(form)
    assert read_settings(settings.form()) == settings
    assert SCALES[0] <= settings.radius_scale <= SCALES[1]
    assert settings.doors in ("as they are", "open", "used")
    assert settings.rules in ("", "retail", "ace")


def test_what_is_no_form_gives_the_first_settings() -> None:
    assert read_settings(None) == read_settings([1]) == SurveySettings()
    assert read_settings({"run_skill": 10**400}) == SurveySettings()


@given(st.lists(st.tuples(st.text(max_size=9), st.binary(max_size=40)), max_size=6), st.integers(1, 13))
def test_messages_arrive_whole_in_any_pieces(said: list[tuple[str, bytes]], size: int) -> None:
    sent = b"".join(Message({"is": kind}, data).packed() for kind, data in said)
    inbox = Inbox()
    found = []
    for first in range(0, len(sent), size):
        inbox.add(sent[first : first + size])
        found += [(message.kind, message.data) for message in inbox.take()]
    assert found == said


def test_the_worker_loads_nothing_of_qt() -> None:
    code = "import sys, editor.models.survey.worker; print([m for m in sys.modules if m.startswith('PySide6')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
