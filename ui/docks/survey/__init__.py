"""The Survey dock: exploring the landblock in view by a worker process."""
