"""Exploring the landblock in view: a worker process that searches it by walking, and what it has found, as rows."""
