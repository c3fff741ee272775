"""Why a value is as it is, asked of an open document: answers, their lives, and what they leave alone."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from pytestqt.qtbot import QtBot

from editor.document.document import NOTHING_OPEN, Document
from editor.models.why_chain.chains import SLICE_S, Answer, WhyChains
from editor.models.why_chain.wording import as_text, ended_text, question_text, since_text
from editor.session.session import Session
from engine.sim.edits.doors import OpenDoor
from engine.sim.tick.controls import Controls
from engine.sim.why.answer import Asked, CauseKind
from engine.world.names import NameKey
from tests.editor.document.small_document import document_of
from tests.editor.models.why_chain.hatch_world import HALL, WALK, door_by_a_hatch, slide_over_the_edge
from tests.loaded import how_loaded
from tests.sim.helpers.small_worlds import built

PLANE = "contact plane of the player"


@dataclass
class Desk:
    """A document in which the player has slid along a door and fallen, and its questions."""

    document: Document
    chains: WhyChains
    used: int
    """The tick in which the door was used to close it."""
    lost: int
    """The tick in which the player lost contact."""

    def ask(self, qtbot: QtBot, path: str = "contact_plane", tick: int | None = None) -> Answer:
        """The answer to a question about the player."""
        assert self.chains.ask(self.document.sim.player.id, path, f"{path} of the player", tick)
        return self.answered(qtbot)

    def answered(self, qtbot: QtBot) -> Answer:
        qtbot.waitUntil(lambda: not self.chains.is_working, timeout=20_000)
        shown = self.chains.shown
        assert shown is not None
        assert shown.is_done
        return shown


@pytest.fixture
def desk() -> Desk:
    document = document_of(built(door_by_a_hatch))
    chains = WhyChains(document)
    document.started.emit()
    return Desk(document, chains, *slide_over_the_edge(document))


def test_a_lost_contact_leads_to_the_door_and_to_who_used_it(desk: Desk, qtbot: QtBot) -> None:
    answer = desk.ask(qtbot)
    links = answer.chain.links
    assert [link.tick for link in links] == [desk.lost, desk.lost, desk.used + 15, desk.used]
    kinds = [CauseKind.POLYGON, CauseKind.OBJECT, CauseKind.TIMER, CauseKind.KEY]
    assert [link.kind for link in links] == kinds
    assert "slid along Front Door" in links[1].sentence
    (door,) = desk.document.sim.population.doors
    assert links[1].entity == door.id
    assert answer.problem == ""
    assert answer.chain.ended
    assert question_text(answer) == f"Contact plane of the player is none after tick {desk.lost}"
    assert since_text(answer).startswith(f"changed in tick {desk.lost}, sub-step 1 · 4 links in ")


def test_asking_changes_neither_the_present_nor_the_past(desk: Desk, qtbot: QtBot) -> None:
    document, history = desk.document, desk.document.history
    assert history is not None
    before = document.sim.snapshot()
    desk.ask(qtbot)
    assert document.sim.snapshot() == before
    assert (history.now, history.in_past) == (desk.lost + 1, False)
    document.go_to(desk.used)
    past = document.sim.snapshot()
    desk.ask(qtbot, "origin")
    assert document.sim.snapshot() == past
    assert history.in_past
    hashes = bytes(history.recording.hashes)
    document.go_to(history.end)
    document.tick()
    assert bytes(history.recording.hashes)[: len(hashes)] == hashes


def test_a_question_in_the_past_is_about_the_tick_that_is_shown(desk: Desk, qtbot: QtBot) -> None:
    desk.document.go_to(desk.lost)
    answer = desk.ask(qtbot)
    assert answer.asked.tick == desk.lost - 1
    assert answer.chain.links[0].kind is CauseKind.START
    first = answer.chain.links[0].tick
    assert since_text(answer) == f"unchanged since the recording begins with tick {first}"
    assert ended_text(answer) == "So it was when the recording began."


def test_edits_that_no_tick_has_seen_count_in_the_present(desk: Desk, qtbot: QtBot) -> None:
    (door,) = desk.document.sim.population.doors
    assert desk.document.edit("Open", OpenDoor(door.id))
    assert desk.chains.ask(door.id, "is_open", "open of Front Door")
    answer = desk.answered(qtbot)
    assert answer.has_edits
    assert question_text(answer) == f"Open of Front Door is yes after the edits since tick {desk.lost}"
    assert answer.chain.links[0].kind is CauseKind.EDIT


def test_an_answer_stays_while_time_runs_until_it_is_asked_again(desk: Desk, qtbot: QtBot) -> None:
    answer = desk.ask(qtbot)
    desk.document.tick_many(3)
    assert desk.chains.shown is answer
    assert not desk.chains.is_working
    assert desk.chains.now == desk.lost + 3
    desk.chains.ask_again()
    again = desk.answered(qtbot)
    assert again.asked == Asked(answer.asked.entity, "contact_plane", desk.lost + 3)
    desk.chains.go_back()
    assert desk.chains.shown is answer
    assert not desk.chains.is_working, "it is kept"
    desk.chains.go_on()
    assert desk.chains.shown is again


def test_a_new_question_forgets_those_that_were_gone_back_from(desk: Desk, qtbot: QtBot) -> None:
    first, second = desk.ask(qtbot), desk.ask(qtbot, "origin")
    desk.chains.go_back()
    third = desk.ask(qtbot, "cell")
    assert desk.chains.answers == [first, third]
    assert second not in desk.chains.answers
    assert not desk.chains.can_go_on
    again = desk.ask(qtbot, "cell")
    assert again is third, "the same question is not kept twice"


def test_time_that_continues_from_the_past_takes_later_questions_along(desk: Desk, qtbot: QtBot) -> None:
    early = desk.ask(qtbot, "origin", desk.used + 70)
    desk.ask(qtbot)
    desk.document.go_to(desk.used + 72)
    assert len(desk.chains.answers) == 2, "a look at the past forgets nothing"
    desk.document.continue_here()
    assert desk.chains.answers == [early]
    assert desk.chains.shown is early
    desk.document.tick_many(2, WALK)
    assert desk.ask(qtbot, "origin").chain.links[0].tick == desk.used + 73


def test_what_is_being_answered_ends_with_its_tick(desk: Desk, qtbot: QtBot) -> None:
    assert desk.chains.ask(desk.document.sim.player.id, "contact_plane", PLANE)
    desk.document.go_to(desk.used)
    desk.document.continue_here()
    assert desk.chains.shown is None
    assert not desk.chains.is_working


def test_another_world_forgets_everything(desk: Desk, qtbot: QtBot) -> None:
    desk.ask(qtbot)
    changes: list[bool] = []
    desk.chains.changed.connect(lambda: changes.append(True))
    desk.document.session.simulation = None
    desk.document.session.opened.emit()
    assert desk.chains.shown is None
    assert changes
    refused: list[str] = []
    desk.document.refused.connect(refused.append)
    assert not desk.chains.ask(1, "cell", "cell")
    assert refused == [NOTHING_OPEN]
    assert WhyChains(Document(Session())).now == -1


def test_a_value_that_is_not_there_is_told_in_a_sentence(desk: Desk, qtbot: QtBot) -> None:
    assert desk.chains.ask(desk.document.sim.player.id, "no such", "no such of the player")
    answer = desk.answered(qtbot)
    assert answer.problem.startswith("This cannot be told: ")
    assert "no such" in since_text(answer)
    assert desk.ask(qtbot).problem == "", "the next question is answered"


def test_before_the_first_tick_it_says_how_far_back_it_goes(qtbot: QtBot) -> None:
    document = document_of(built(door_by_a_hatch))
    chains = WhyChains(document)
    document.started.emit()
    assert chains.ask(document.sim.player.id, "cell", "cell of the player")
    qtbot.waitUntil(lambda: not chains.is_working, timeout=10_000)
    assert chains.shown is not None
    words = "This cannot be told: the recording begins with tick 0, and nothing is known of what was before"
    assert since_text(chains.shown) == words


def test_a_cell_that_is_renamed_has_its_name_in_the_answer(desk: Desk, qtbot: QtBot) -> None:
    desk.ask(qtbot)
    desk.document.rename("Rename", {NameKey.cell(HALL): "Ballroom"})
    assert "Ballroom" in desk.answered(qtbot).chain.links[0].sentence


def test_the_chain_as_text_has_every_link(desk: Desk, qtbot: QtBot) -> None:
    answer = desk.ask(qtbot)
    text = as_text(answer, {asked: "another value" for link in answer.chain.links for asked in link.leads_to})
    lines = text.split("\n")
    assert lines[0].startswith(f"Contact plane of the player is none after tick {desk.lost}: changed in tick")
    assert sum(link.sentence in text for link in answer.chain.links) == 4
    assert any(line.startswith("  also: another value in tick") for line in lines)
    assert lines[-1] == answer.chain.ended


def test_slices_are_short_and_the_whole_is_quick(desk: Desk, qtbot: QtBot) -> None:
    desk.document.tick_many(600, Controls(turn=1.0))
    before = how_loaded()
    answer = desk.ask(qtbot, tick=desk.lost)
    load = max(before, how_loaded())
    assert answer.seconds < 0.3 * load
    assert desk.chains.longest_slice < 10 * SLICE_S * load
