"""Divides elapsed time into steps of a body (physics.md 11.1, #22).

The simulation's own tick is one quantum; when one is due is its caller's business.
"""

from __future__ import annotations

from engine.geometry.constants import EPSILON, HUGE_QUANTUM, MAX_QUANTUM, MAX_QUANTUM_ACE, MIN_QUANTUM
from engine.physics.body import Body
from engine.physics.rules import RuleSet


def slice_time(elapsed: float, rules: RuleSet) -> tuple[list[float], float]:
    """Return the quanta to step and the time left for the next call. A gap that is too large is dropped as a whole.

    Rule `small_quantum`: what is not longer than the longest quantum is stepped whole, however short; `ace` lets it
    wait until it is longer than the shortest.
    """
    steps: list[float] = []
    if elapsed <= EPSILON:
        return (steps, 0.0 if rules.small_quantum else elapsed)
    if elapsed > HUGE_QUANTUM:
        return (steps, 0.0)
    longest = MAX_QUANTUM if rules.max_quantum else MAX_QUANTUM_ACE
    if rules.small_quantum and elapsed <= longest:
        steps.append(elapsed)
        return (steps, 0.0)
    while elapsed > longest:
        steps.append(longest)
        elapsed -= longest
    if elapsed > MIN_QUANTUM:
        steps.append(elapsed)
        elapsed = 0.0
    return (steps, elapsed)


def update_object(body: Body, elapsed: float) -> float:
    """Step a body through the time that has passed since its last step; what stays pending comes back."""
    steps, pending = slice_time(elapsed, body.rules)
    for quantum in steps:
        body.step(quantum)
    return pending
