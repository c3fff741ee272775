"""The library: what `import cellar_door` offers to scripts, and the console over the window's document."""
