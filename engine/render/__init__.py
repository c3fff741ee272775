"""The picture: its contents as arrays, and the cameras it is drawn from (rendering.md 13-23).

`engine.render.gl` alone calls OpenGL.
"""
