// Lines and triangles over the picture, already in clip space.
layout(location = 0) in vec4 place;
layout(location = 1) in vec4 paint;

#ifdef WIDE
out vec4 ink;
#else
out vec4 colour;
#endif

void main() {
    gl_Position = place;
#ifdef WIDE
    ink = paint;
#else
    colour = paint;
#endif
}
