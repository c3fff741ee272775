"""A landblock searched by walking: a body goes everywhere that the real sweep lets it (docs/exploring.md). The modules
directly in here are compiled; `forms` and `results` are not."""
