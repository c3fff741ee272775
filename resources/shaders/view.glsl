// What all shaders of a frame share: the eye, the fog, and the light of the pass.
layout(std140) uniform View {
    mat4 to_clip;      // from places relative to the eye
    vec4 eye_high;     // where the eye is in the world, in single precision
    vec4 eye_low;      // and what that leaves out
    vec4 fog;          // what is left of a colour is x - distance * y, of 0 to 1
    vec4 fog_colour;
};

// Rendering 20.4: it depends on what is drawn, not on the time of day alone.
layout(std140) uniform Light {
    vec4 ambient;
    vec4 sun;          // towards it, as long as it is bright
    vec4 sun_colour;
    vec4 lamps;        // x: whether lamps are lit, y: how many of those that move there are
    vec4 lamp_place[8];   // relative to the eye; w: how far it reaches
    vec4 lamp_colour[8];  // times its intensity
};

// A row of `places` is five texels: the rows of a rotation with the place in the world behind them, and what single
// precision lost of that place, so that nothing jitters far from the world's corner: the first halves are subtracted
// without any loss. Behind that is the alpha, and in the last one a bit for each lamp that moves and lights what is there.
uniform samplerBuffer places;

mat3 turn_of(int row) {
    return mat3(
        texelFetch(places, row * 5).xyz, texelFetch(places, row * 5 + 1).xyz, texelFetch(places, row * 5 + 2).xyz
    );
}

vec3 shift_of(int row) {
    vec3 high = vec3(
        texelFetch(places, row * 5).w, texelFetch(places, row * 5 + 1).w, texelFetch(places, row * 5 + 2).w
    );
    return (high - eye_high.xyz) + (texelFetch(places, row * 5 + 3).xyz - eye_low.xyz);
}

float alpha_of(int row) {
    return texelFetch(places, row * 5 + 3).w;
}

int lamps_of(int row) {
    return int(texelFetch(places, row * 5 + 4).x);
}

// `place` is relative to the eye, `lamp_light` what lamps that never move have been found to give, `reached`
// has the bits of those of the others that count.
vec3 light_at(vec3 place, vec3 normal, vec3 lamp_light, int reached) {
    vec3 light = ambient.rgb + max(dot(normal, sun.xyz), 0.0) * sun_colour.rgb + lamps.x * lamp_light;
#ifdef MOVING_LAMPS  // a loop costs a third of the whole even where it is never run
    for (int i = 0; i < int(lamps.y); ++i) {
        vec3 way = lamp_place[i].xyz - place;
        float away = length(way);
        if (away < lamp_place[i].w && (reached >> i & 1) != 0) {
            light += lamp_colour[i].rgb * max(dot(normal, way), 0.0) / max(away * away, 1e-6);
        }
    }
#endif
    return light;
}

// Fog is reckoned at vertices, and what lies between them has some of each (rendering.md M9).
float clearness(vec3 seen) {
    return clamp(fog.x - length(seen) * fog.y, 0.0, 1.0);
}

vec3 fogged(vec3 colour, float left, float share) {
    return mix(colour, fog_colour.rgb, (1.0 - left) * share);
}
