"""How elapsed time becomes steps of a body (spec/physics.md 11.1). The simulation's own tick is one quantum."""

from __future__ import annotations

from engine.geometry.constants import EPSILON, HUGE_QUANTUM, MAX_QUANTUM, MAX_QUANTUM_ACE, MIN_QUANTUM
from engine.physics.body import Body
from engine.physics.rules import RuleSet


def slice_time(elapsed: float, rules: RuleSet) -> tuple[list[float], float]:
    """The quanta to step, and what stays pending for the next call. Too large a gap is dropped as a whole."""
    steps: list[float] = []
    if elapsed <= EPSILON:
        return (steps, elapsed)
    if elapsed > HUGE_QUANTUM:
        return (steps, 0.0)
    longest = MAX_QUANTUM if rules.max_quantum else MAX_QUANTUM_ACE
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
