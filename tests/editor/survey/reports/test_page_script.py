"""The script of the page, in Qt's engine of scripts with a small document of ours: rows, filters, keys and the map."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtQml import QJSEngine

from editor.survey.report_form import Report
from editor.survey.reports.page import Pictures, page_bytes
from tests.editor.survey.reports.samples import HOSTILE, hostile, sample

DOM = Path(__file__).with_name("dom.js").read_text(encoding="utf-8")
VOID = {"meta", "input", "br", "img", "link"}
Tree = list[Any]


class Reader(HTMLParser):
    """The page as a tree, and its script."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.tree: Tree = []
        self.script = ""
        self._open: list[Tree] = [["", {}, self.tree, ""]]
        self.feed(page.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        made: Tree = [tag, {name: value or "" for name, value in attrs}, [], ""]
        self._open[-1][2].append(made)
        if tag not in VOID:
            self._open.append(made)

    def handle_endtag(self, tag: str) -> None:
        self._open.pop()

    def handle_data(self, data: str) -> None:
        self._open[-1][3] += data
        if self._open[-1][0] == "script" and not self._open[-1][1]:
            self.script += data


class Browser:
    """Runs the page of a report."""

    def __init__(self, report: Report, pictures: Pictures | None = None) -> None:
        self._engine = QJSEngine()
        page = Reader(page_bytes(report, pictures))
        self.run(DOM)
        self.run(f"build(document, {json.dumps(page.tree)})")
        self.run(page.script)

    def run(self, code: str) -> Any:
        found: Any = self._engine.evaluate(code)
        assert not found.isError(), f"{found.toString()} at line {found.property('lineNumber').toInt()}: {code[:200]}"
        return found.toVariant()

    def text(self, name: str) -> str:
        return str(self.run(f"document.getElementById({json.dumps(name)}).textContent"))

    def rows(self) -> list[str]:
        """The sentences of the rows that are shown."""
        query = "document.getElementById('findings').querySelectorAll('tr.row').map(r => r.children[4].textContent)"
        return list(self.run(query))

    def click(self, selector: str) -> None:
        self.run(f"document.querySelector({json.dumps(selector)}).click()")

    def choose(self, field: str, value: str) -> None:
        name = json.dumps(f"filter-{field}")
        event = "input" if field in ("text", "block") else "change"
        self.run(f"document.getElementById({name}).value = {json.dumps(value)}")
        self.run(f"document.getElementById({name}).fire('{event}'); runTimers()")

    def key(self, selector: str, key: str) -> None:
        self.run(f"document.querySelector({json.dumps(selector)}).fire('keydown', {{key: {json.dumps(key)}}})")


@pytest.fixture(autouse=True)
def _application(qapp: QCoreApplication) -> None:
    """Qt's engine of scripts needs one."""


@pytest.fixture
def browser() -> Browser:
    return Browser(sample(250))


def test_rows_come_in_pages_the_worst_first(browser: Browser) -> None:
    assert browser.text("count") == "250 findings"
    assert len(browser.rows()) == 100
    first = browser.rows()
    browser.run("document.getElementById('after').click()")
    assert browser.text("where") == "101 to 200"
    assert not set(first) & set(browser.rows())
    browser.run("document.getElementById('after').click()")
    assert len(browser.rows()) == 50
    assert browser.run("document.getElementById('after').disabled") is True


def test_filters_narrow_the_rows_and_are_taken_away(browser: Browser) -> None:
    report = sample(250)
    pits = [each for each in report.found if each.check == "stuck.pit"]
    browser.choose("severity", "1")
    assert browser.text("count") == f"{len(pits)} findings of 250"
    browser.choose("family", "doors")
    assert browser.text("count") == "0 findings of 250"
    browser.run("document.getElementById('clear').click()")
    browser.choose("text", "PORTAL 3 LIES")
    wanted = [each.sentence for each in report.found if "portal 3 lies" in each.sentence]
    assert sorted(browser.rows()) == sorted(wanted)
    browser.run("document.getElementById('clear').click()")
    block = report.found[0].block
    browser.choose("block", f"0x{block >> 16:04x}ffff")
    assert browser.text("count") == f"{sum(each.block == block for each in report.found)} findings of 250"
    browser.choose("block", "xyz")
    assert browser.text("count") == "250 findings"


def test_a_head_sorts_and_sorts_back(browser: Browser) -> None:
    sentence = "document.getElementById('findings').tHead.querySelectorAll('button')[4].click()"
    browser.run(sentence)
    up = browser.rows()
    assert up == sorted(each.sentence for each in sample(250).found)[:100]
    browser.run(sentence)
    assert browser.rows() == sorted((each.sentence for each in sample(250).found), reverse=True)[:100]


def test_a_row_opens_and_closes_by_click_and_key(browser: Browser) -> None:
    browser.click("tr.row")
    assert "Two sides lie apart." in browser.run("document.querySelector('tr.detail').textContent")
    browser.key("tr.open", "Escape")
    assert browser.run("document.querySelector('tr.detail')") is None
    browser.key("tr.row", "ArrowDown")
    browser.run("document.activeElement.fire('keydown', {key: 'Enter'})")
    second = browser.rows()[1]
    assert second in browser.run("document.querySelector('tr.detail').textContent")
    assert browser.run("document.querySelectorAll('tr.detail').length") == 1


def test_a_landblock_of_the_map_shows_its_findings_alone(browser: Browser) -> None:
    browser.run("document.getElementById('map').fire('mousemove', {clientX: 128, clientY: 128})")
    named = browser.text("map-word").split(" ")[0]
    browser.run("document.getElementById('map').fire('click', {clientX: 128, clientY: 128})")
    count = sum(f"0x{each.block >> 16:04X}" == named for each in sample(250).found)
    assert browser.text("count") == f"{count} findings of 250"
    browser.run("document.getElementById('map').fire('keydown', {key: 'Escape'})")
    assert browser.text("count") == "250 findings"
    browser.run("document.getElementById('map').fire('keydown', {key: 'ArrowLeft'})")
    browser.run("document.getElementById('map').fire('keydown', {key: 'Enter'})")
    assert browser.text("count") != "250 findings"


def test_checks_and_landblocks_lead_to_their_findings(browser: Browser) -> None:
    browser.click('button[data-page="checks"]')
    assert "A body cannot leave a place." in browser.text("checks")
    browser.run("document.getElementById('checks').tBodies[0].querySelector('button').click()")
    apart = [each for each in sample(250).found if each.check == "portals.apart"]
    assert browser.text("count") == f"{len(apart)} findings of 250"
    browser.click('button[data-page="blocks"]')
    assert browser.run("document.getElementById('blocks').tBodies[0].children.length") == 16


def test_pictures_and_recordings_are_offered_as_data() -> None:
    report = hostile()
    shown = Browser(report, Pictures({report.found[0].key: b"\xff\xd8"}))
    shown.click("tr.row")
    assert shown.run("document.querySelector('img').src") == "data:image/jpeg;base64,/9g="
    assert shown.run("document.querySelector('a').href").startswith("data:application/octet-stream;base64,")
    assert shown.run("document.querySelector('a').download").endswith(".cdrec")


def test_strangers_texts_are_shown_as_they_are() -> None:
    shown = Browser(hostile())
    assert any(row.startswith(HOSTILE[:60]) for row in shown.rows())
    shown.click("tr.row")
    for tab in ("checks", "blocks"):
        shown.click(f'button[data-page="{tab}"]')
    assert shown.run("document.querySelectorAll('script').length") == 2
    assert "alert(1)" in shown.text("checks")


def test_printing_shows_all_that_passes_and_then_the_page_again(browser: Browser) -> None:
    browser.run("windowEvents.beforeprint()")
    assert len(browser.rows()) == 250
    browser.run("windowEvents.afterprint()")
    assert len(browser.rows()) == 100


def test_an_empty_report_says_so() -> None:
    shown = Browser(Report("demo"))
    assert shown.rows() == []
    assert shown.run("document.getElementById('empty').classes.indexOf('hidden')") == -1
