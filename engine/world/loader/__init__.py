"""Sources of a world: data files, scenes, dumps. Only here does the world know the data files."""
