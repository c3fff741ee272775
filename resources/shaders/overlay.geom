// A line as a strip of some pixels: OpenGL 3.3 core promises lines of one pixel alone.
layout(lines) in;
layout(triangle_strip, max_vertices = 4) out;

in vec4 ink[];
uniform vec2 half_width;  // in normalised device coordinates, across and down

out vec4 colour;

const float NEAR = 0.02;

void main() {
    vec4 a = gl_in[0].gl_Position;
    vec4 b = gl_in[1].gl_Position;
    if (a.w < NEAR && b.w < NEAR) return;
    if (a.w < NEAR) a = mix(b, a, (b.w - NEAR) / (b.w - a.w));
    if (b.w < NEAR) b = mix(a, b, (a.w - NEAR) / (a.w - b.w));
    vec2 way = (b.xy / b.w - a.xy / a.w) / half_width;
    float size = length(way);
    vec2 side = size > 0.0 ? vec2(-way.y, way.x) / size * half_width : half_width;
    colour = ink[0];
    gl_Position = a + vec4(side * a.w, 0.0, 0.0);
    EmitVertex();
    gl_Position = a - vec4(side * a.w, 0.0, 0.0);
    EmitVertex();
    colour = ink[1];
    gl_Position = b + vec4(side * b.w, 0.0, 0.0);
    EmitVertex();
    gl_Position = b - vec4(side * b.w, 0.0, 0.0);
    EmitVertex();
    EndPrimitive();
}
