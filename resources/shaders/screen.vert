// Polygons that were clipped on the screen: marks, punches and seals.
layout(location = 0) in vec3 position;

void main() {
    gl_Position = vec4(position, 1.0);
}
