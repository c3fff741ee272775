"""Everything uploaded to OpenGL: meshes, textures, terrain, particles, and their tables."""
