"""OpenGL 3.3 core: what has been uploaded, and the frame drawn with it (spec/rendering.md 14).

The one place that calls OpenGL. It needs a current context, a widget's or one of `offscreen`, and asks for no widget.
"""
