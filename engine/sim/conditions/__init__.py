"""Conditions on ticks in plain words: read, written, and evaluated for running, recorded and searched ticks alike."""
