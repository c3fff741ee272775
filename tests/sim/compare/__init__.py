"""Tests of `engine/sim/compare`."""
