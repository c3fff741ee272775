// Terrain of a landblock (rendering 19). LAYERS pictures lie over the base, each with a mask that keeps what is below.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 3) in ivec2 place_and_base;
#ifdef PLAIN
layout(location = 7) in vec3 paint;
#else
layout(location = 4) in ivec4 pictures_a;
layout(location = 5) in ivec4 masks_a;
layout(location = 6) in ivec2 last;  // the fifth picture and mask

uniform float tilings[TILINGS];
#endif

#ifdef CUT
uniform vec2 heights;  // from the eye; there is no ground below the first one, and none above the second
#endif

out float clear_share;
out vec3 light;

#ifdef PLAIN
out vec3 colour;
#else
out vec3 base;
#if LAYERS > 0
out vec3 over[LAYERS];
out vec3 mask[LAYERS];
#endif
#endif

#ifndef PLAIN
// A mask is four times its layer and the quarter turns that it is rotated by.
vec3 turned(int code) {
    int quarters = code & 3;
    float layer = float(code >> 2);
    if (quarters == 0) return vec3(uv, layer);
    if (quarters == 1) return vec3(1.0 - uv.y, uv.x, layer);
    if (quarters == 2) return vec3(1.0 - uv, layer);
    return vec3(uv.y, 1.0 - uv.x, layer);
}

vec3 tiled(int layer) {
    return vec3(uv * tilings[layer], float(layer));
}
#endif

void main() {
    int place = place_and_base.x;
    mat3 turn = turn_of(place);
    vec3 seen = position * turn + shift_of(place);
    clear_share = clearness(seen);
    light = min(light_at(seen, normal * turn, vec3(0.0), 0), 1.0);
#ifdef PLAIN
    colour = paint;
#else
    base = tiled(place_and_base.y);
#if LAYERS > 0
    int pictures[5] = int[5](pictures_a.x, pictures_a.y, pictures_a.z, pictures_a.w, last.x);
    int masks[5] = int[5](masks_a.x, masks_a.y, masks_a.z, masks_a.w, last.y);
    for (int i = 0; i < LAYERS; ++i) {
        over[i] = tiled(pictures[i]);
        mask[i] = turned(masks[i]);
    }
#endif
#endif
#ifdef CUT
    gl_ClipDistance[0] = seen.z - heights.x;
    gl_ClipDistance[1] = heights.y - seen.z;
#endif
    gl_Position = to_clip * vec4(seen, 1.0);
}
