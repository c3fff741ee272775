"""A why-chain as data, and as lines: what changed when, by what, and in which row of the tick's trace."""

from __future__ import annotations

from typing import Any, Final

from engine.sim.why.answer import AskableValue, Asked, CauseKind, Chain, Link
from engine.world.cells.ids import cell_text

INDENT: Final = " " * 12
SHOWN_RULES: Final = 6


def chain_lines(chain: Chain) -> list[str]:
    """The links, the latest first, and where the chain ends."""
    found = [f"{'':12}{chain.kept_by}."] if chain.kept_by else []
    for link in chain.links:
        found += _link_lines(link)
    return [*found, f"{'':12}{chain.ended}"]


def _link_lines(link: Link) -> list[str]:
    if link.kind is CauseKind.START:
        return [f"{'start':12}{link.sentence}."]
    lines = [f"{f'tick {link.tick}':12}{link.title}: {link.before} -> {link.after}", f"{INDENT}{link.sentence}."]
    if link.row:
        is_step = link.sub_step is None or link.row.startswith("sub-step")
        step = "" if is_step else f"sub-step {link.sub_step}: "
        lines.append(f"{INDENT}  {step}{link.row}")
    if link.rules and link.kind is not CauseKind.RULE:
        shown = ", ".join(link.rules[:SHOWN_RULES])
        more = f" and {len(link.rules) - SHOWN_RULES} more" if len(link.rules) > SHOWN_RULES else ""
        lines.append(f"{INDENT}  the other form of {shown}{more} gives another value")
    return lines


def chain_data(chain: Chain) -> dict[str, Any]:
    data: dict[str, Any] = {"links": [_link_data(link) for link in chain.links], "ended": chain.ended}
    return data | ({"kept_by": chain.kept_by} if chain.kept_by else {})


def _link_data(link: Link) -> dict[str, Any]:
    """What does not apply is left out."""
    data: dict[str, Any] = {
        "asked": _asked_data(link.asked),
        "title": link.title,
        "before": link.before,
        "after": link.after,
        "tick": link.tick,
        "kind": link.kind.value,
        "sentence": link.sentence,
    }
    optional: dict[str, Any] = {
        "sub_step": link.sub_step,
        "trace_path": None if link.trace_path is None else list(link.trace_path),
        "row": link.row or None,
        "cell": cell_text(link.cell) if link.cell else None,
        "entity": cell_text(link.entity) if link.entity else None,
        "polygon": link.polygon,
        "portal": link.portal,
        "key": link.key or None,
        "edit": link.edit or None,
        "edit_number": link.edit_number,
        "rules": list(link.rules) or None,
        "point": None if link.point is None else {"cell": cell_text(link.point[0]), "origin": list(link.point[1])},
        "leads_to": [_asked_data(lead) for lead in link.leads_to] or None,
    }
    return data | {name: value for name, value in optional.items() if value is not None}


def _asked_data(asked: Asked) -> dict[str, Any]:
    return {"entity": cell_text(asked.entity), "path": asked.path, "tick": asked.tick}


def askable_lines(name: str, values: list[AskableValue]) -> list[str]:
    widest = max((len(each.path) for each in values), default=0)
    return [f"{name}.{each.path:{widest}}  {each.value}" for each in values]
