"""After any edits, undos and walks, a saved project opens in the same state."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from editor.document.world_diff import editable_state
from tests.editor.document.test_document_sequences import Sequences
from tests.editor.project.project_worlds import again, differences, project_of


class Kept(Sequences):
    """At the end of every sequence a project is saved and opened."""

    def teardown(self) -> None:
        project = project_of(self.document)
        document, opened = again(project)
        assert not opened.differing
        assert differences(self.document.sim, document.sim) == []
        names = self.document.stack.texts()[: self.document.stack.index()]
        assert document.stack.texts() == names
        assert document.stack.is_clean()
        while self.document.stack.can_undo() and document.stack.can_undo():
            self.document.undo()
            document.undo()
        assert document.stack.index() == self.document.stack.index() == 0
        mine, theirs = editable_state(self.document.sim), editable_state(document.sim)
        assert (mine.rules, mine.numbers, set(mine.entities)) == (theirs.rules, theirs.numbers, set(theirs.entities))


def test_a_project_opened_again_stands_where_random_sequences_have_brought_it() -> None:
    run_state_machine_as_test(Kept, settings=settings(max_examples=60, stateful_step_count=14, deadline=None))


@pytest.mark.slow
def test_a_project_reopens_in_the_state_that_a_thousand_sequences_left() -> None:
    run_state_machine_as_test(Kept, settings=settings(max_examples=1000, stateful_step_count=40, deadline=None))
