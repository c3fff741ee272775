// Rooms, buildings and things of a dollhouse: `thing.vert` without light and fog, between two heights.
layout(location = 0) in vec3 position;
layout(location = 2) in vec2 uv;
layout(location = 3) in vec4 tint;
layout(location = 4) in ivec2 rows;

uniform samplerBuffer surfaces;
uniform vec2 heights;  // the lower and the upper end, from the eye

out vec3 seen;
out vec3 picture;
out vec4 colour;
flat out float reference;

void main() {
    seen = position * turn_of(rows.x) + shift_of(rows.x);
    vec4 surface = texelFetch(surfaces, rows.y * 3);
    vec4 paint = texelFetch(surfaces, rows.y * 3 + 1);
    picture = vec3(uv, surface.x);
    colour = vec4(paint.rgb * tint.rgb, surface.w * alpha_of(rows.x) * tint.a);
    reference = texelFetch(surfaces, rows.y * 3 + 2).x;
    gl_ClipDistance[0] = seen.z - heights.x;
    gl_ClipDistance[1] = heights.y - seen.z;
    gl_Position = to_clip * vec4(seen, 1.0);
}
