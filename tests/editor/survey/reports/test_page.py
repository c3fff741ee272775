"""The page as a file: what it holds, what strangers' texts become in it, and its limits."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from editor.survey.report_form import BlockReport, Report
from editor.survey.reports import page as page_module
from editor.survey.reports.page import Pictures, page_bytes
from engine.findings.finding import Found
from tests.editor.survey.reports.samples import HOSTILE, block_at, hostile, sample

FETCHING = {"src", "href", "action", "data", "poster", "background", "srcset", "formaction"}


class Parsed(HTMLParser):
    """The page as a parser of HTML sees it: its elements with their attributes, and the text of some."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, str] = {}
        self._open: list[str] = []
        self.feed(page.decode())
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._open.append(dict(attrs).get("id") or tag)

    def handle_endtag(self, tag: str) -> None:
        self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._open:
            self.texts[self._open[-1]] = self.texts.get(self._open[-1], "") + data

    @property
    def report(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.texts["report"])
        return found


def test_the_page_holds_every_finding_and_every_landblock() -> None:
    report = sample(500)
    told = Parsed(page_bytes(report)).report
    assert sorted(told["found"]["sentence"]) == sorted(each.sentence for each in report.found)
    assert told["blocks"]["id"] == [block.id for block in report.blocks]
    severities = [told["checks"][place]["severity"] for place in told["found"]["check"]]
    assert severities == sorted(severities, reverse=True)
    keys = [told["checks"][c]["id"] + key for c, key in zip(told["found"]["check"], told["found"]["key"], strict=True)]
    assert sorted(keys) == sorted(each.key for each in report.found)


def test_the_page_needs_no_network_and_no_other_file() -> None:
    page = page_bytes(sample(50))
    for tag, attributes in Parsed(page).elements:
        assert tag not in ("link", "iframe", "object", "embed", "base", "img")
        assert not FETCHING & attributes.keys()
    assert b"url(" not in page
    assert b"@import" not in page
    assert b"http:" not in page
    assert b"https:" not in page


def test_only_its_own_script_and_style_may_run() -> None:
    page = page_bytes(sample(5)).decode()
    policy = re.search(r'Security-Policy" content="([^"]+)"', page)
    assert policy is not None
    allowed = policy[1].replace("&#x27;", "'")
    style, scripts = (
        re.findall(r"<style>(.*?)</style>", page, re.DOTALL),
        re.findall(r"<script>(.*?)</script>", page, re.DOTALL),
    )
    assert len(style) == len(scripts) == 1
    for text in (*style, *scripts):
        assert f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" in allowed
    assert "unsafe" not in allowed
    assert "default-src 'none'" in allowed


def test_strangers_texts_stay_texts() -> None:
    page = page_bytes(hostile(), Pictures({}, HOSTILE))
    plain, tried = Parsed(page_bytes(Report("demo", (), "1", (BlockReport(1),), (Found("x", 1),)))), Parsed(page)
    assert [tag for tag, _ in tried.elements if tag == "script"] == ["script", "script"]
    extra = {tag for tag, _ in tried.elements} - {tag for tag, _ in plain.elements}
    assert not extra
    assert not any(name.startswith("on") for _, attributes in tried.elements for name in attributes)
    assert tried.report["found"]["sentence"][0].startswith("</script><script>alert(1)")
    assert tried.texts["title"].startswith("Survey of </script>")
    for hidden in ("\u202e", "\u2028", "\0", "\x1b"):
        assert hidden not in page.decode()


def test_the_script_makes_no_html_of_text() -> None:
    script = page_module._own("page.js")
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|new Function|setTimeout\(\"", script
    )


@given(st.text(), st.text())
@settings(max_examples=60, deadline=None)
def test_any_text_can_stand_in_a_report(sentence: str, source: str) -> None:
    report = Report(
        source, (source,), source, (BlockReport(1, 1.0, (source,), (sentence,)),), (Found("a", 1, sentence=sentence),)
    )
    parsed = Parsed(page_bytes(report))
    assert [tag for tag, _ in parsed.elements].count("script") == 2
    assert len(parsed.report["found"]["sentence"]) == 1


def test_pictures_belong_to_their_findings() -> None:
    report = sample(20)
    shown = report.found[7]
    told = Parsed(page_bytes(report, Pictures({shown.key: b"\xff\xd8picture"}, "Nineteen are not drawn."))).report
    place = told["found"]["sentence"].index(shown.sentence)
    assert [n for n in told["found"]["picture"] if n] == [1]
    assert told["found"]["picture"][place] == 1
    assert base64.b64decode(told["pictures"][0]) == b"\xff\xd8picture"
    assert told["unpictured"] == "Nineteen are not drawn."


def test_recordings_stand_in_the_page_up_to_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_module, "RECORDINGS_MOST", 1000)
    block = block_at(1, 2)
    found = [Found("a", block, cell=block - 10 + n, recording=bytes([n]) * 400) for n in range(4)] + [Found("a", block)]
    told = Parsed(page_bytes(Report("demo", (), "1", (), tuple(found)))).report
    assert sorted(told["found"]["recording"]) == [-1, -1, 0, 1, 2]
    assert len(told["recordings"]) == 2
    assert told["found"]["recordingSize"].count(400) == 4


def test_an_empty_report_is_a_page_too() -> None:
    parsed = Parsed(page_bytes(Report("demo")))
    assert parsed.report["found"]["check"] == []
    assert "0 findings" in parsed.texts["p"]
