"""Stab lists and pictures of a landblock: what they miss or hold too much, each with the eye that proves it."""
