"""Tests of `editor/models/walks`."""
