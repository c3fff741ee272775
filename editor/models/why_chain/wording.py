"""A chain of causes in words."""

from __future__ import annotations

from typing import Final

from editor.models.why_chain.chains import Answer
from editor.process.plain_text import counted, visible
from engine.sim.why.answer import Asked, CauseKind, Link
from engine.world.cells.ids import cell_text

KIND_WORDS: Final = {
    CauseKind.KEY: "key",
    CauseKind.EDIT: "edit",
    CauseKind.RULE: "rule",
    CauseKind.TIMER: "timer",
    CauseKind.POLYGON: "polygon",
    CauseKind.TERRAIN: "land",
    CauseKind.OBJECT: "object",
    CauseKind.PORTAL: "portal",
    CauseKind.PICK: "cell pick",
    CauseKind.PUSH: "push",
    CauseKind.GRAVITY: "gravity",
    CauseKind.MOTION: "motion",
    CauseKind.FOLLOWS: "follows",
    CauseKind.START: "start",
}
LOOKING: Final = "Looking back through the recording …"


def when_text(link: Link) -> str:
    """The tick of a link, and the sub-step."""
    if link.kind is CauseKind.START:
        return f"since tick {link.tick:,}"
    step = "" if link.sub_step is None else f", sub-step {link.sub_step}"
    return f"tick {link.tick:,}{step}"


def change_text(link: Link) -> str:
    """The value before and after."""
    if link.kind is CauseKind.START or link.before == link.after:
        return link.after
    return f"{link.before or '–'} → {link.after or '–'}"


def question_text(answer: Answer) -> str:
    """The value, and the tick that the question is about."""
    links, end = answer.chain.links, asked_text(answer)
    title = links[0].title if links else answer.title
    value = f" is {links[0].after}" if links and links[0].after else ""
    return f"{title[:1].upper()}{title[1:]}{value} {end}"


def asked_text(answer: Answer) -> str:
    """The tick that a question is about."""
    tick = answer.asked.tick
    return f"after the edits since tick {tick - 1:,}" if answer.has_edits else f"after tick {tick:,}"


def since_text(answer: Answer) -> str:
    """Since when it is so; what is being done, or why it cannot be told, while that is not known."""
    links = answer.chain.links
    if answer.problem and not links:
        return answer.problem
    if not links:
        return "" if answer.is_done else LOOKING
    first = links[0]
    if first.kind is CauseKind.START:
        return f"unchanged since the recording begins with tick {first.tick:,}"
    took = f" · {counted(len(links), 'link')} in {answer.seconds * 1000.0:,.0f} ms" if answer.is_done else ""
    return f"changed in {when_text(first)}{took}"


def ended_text(answer: Answer) -> str:
    """Below the last link: why it goes no further back, or that it is still looked for."""
    if answer.problem:
        return answer.problem
    if not answer.is_done:
        return LOOKING
    return answer.chain.ended


def link_lines(link: Link) -> list[str]:
    """One link to be read: its value, then its cause."""
    return [
        f"{when_text(link)}: {link.title} {change_text(link)}",
        f"  {KIND_WORDS[link.kind]}: {link.sentence}",
    ]


def link_tip(link: Link) -> str:
    """The same with everything that the dock leaves out."""
    lines = [*link_lines(link)]
    lines += [f"  in cell {cell_text(link.cell)}"] if link.cell else []
    lines += [f"  polygon {link.polygon}"] if link.polygon is not None else []
    lines += [f"  other with a rule flipped: {rule}" for rule in link.rules]
    return "\n".join(lines)


def as_text(answer: Answer, titles: dict[Asked, str]) -> str:
    """The whole chain as lines, for a message or a report."""
    since = since_text(answer)
    lines = [question_text(answer) + (f": {since}" if since else "")]
    for link in answer.chain.links:
        lines += link_lines(link)
        more = [f"{titles[asked]} in tick {asked.tick:,}" for asked in link.leads_to[1:] if asked in titles]
        if more:
            lines.append(f"  also: {'; '.join(more)}")
    lines.append(ended_text(answer))
    return "\n".join(visible(line) for line in lines)
