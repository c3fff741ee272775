"""Tests of `engine/sim/walks`."""
