"""OpenGL 3.3 core: uploads, and the frame drawn with them (rendering.md 14).

The one place that calls OpenGL. It needs a current context, a widget's or one of `offscreen`, and no widget.
"""
