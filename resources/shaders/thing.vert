// Walls, buildings, things and particles; with SKY what hangs in the sky, at the far end of depth.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 3) in vec4 tint;
layout(location = 4) in ivec2 rows;
layout(location = 5) in vec3 lamp_light;

// A row of `surfaces` is three texels: layer, luminosity, nothing, alpha; colour and share of fog; alpha reference.
uniform samplerBuffer surfaces;

#ifdef SKY
uniform vec2 uv_offset;
uniform vec2 sky;  // luminosity, below 0 the surface's; alpha
uniform vec3 sky_shift;  // from the eye
#endif

#ifdef DETAIL
uniform vec2 detail;  // repeats, layer
#endif

out float clear_share;
out vec3 picture;
out vec4 colour;
flat out vec2 rule;
invariant gl_Position;  // what is drawn again has the same depth

void main() {
    mat3 turn = turn_of(rows.x);
    vec3 seen;
    vec4 surface = texelFetch(surfaces, rows.y * 3);
    vec4 paint = texelFetch(surfaces, rows.y * 3 + 1);
#ifdef SKY
    seen = position * turn + sky_shift;
    int reached = 0;
    float luminosity = sky.x < 0.0 ? surface.y : sky.x;
    float alpha = surface.w * sky.y;
    picture = vec3(uv + uv_offset, surface.x);
    rule = vec2(0.0);
#else
    seen = position * turn + shift_of(rows.x);
    int reached = lamps_of(rows.x);
    float luminosity = surface.y;
    float alpha = surface.w * alpha_of(rows.x);
    picture = vec3(uv, surface.x);
    rule = vec2(texelFetch(surfaces, rows.y * 3 + 2).x, paint.w);
#endif
    vec3 lit = clamp(luminosity + light_at(seen, normal * turn, lamp_light, reached), 0.0, 1.0);
    colour = vec4(paint.rgb * tint.rgb * lit, alpha * tint.a);
    clear_share = clearness(seen);
#ifdef DETAIL
    picture = vec3(uv * detail.x, detail.y);
    colour = vec4(1.0);
    clear_share = 1.0;
#endif
    gl_Position = to_clip * vec4(seen, 1.0);
#ifdef SKY
    gl_Position.z = gl_Position.w;
#endif
}
