// The layers from bottom to top (rendering 19.3); PLAIN is without pictures.
in float clear_share;
in vec3 light;
#ifdef PLAIN
in vec3 colour;
#else
in vec3 base;
#if LAYERS > 0
in vec3 over[LAYERS];
in vec3 mask[LAYERS];
#endif

uniform sampler2DArray pictures;
uniform sampler2DArray masks;
#endif

out vec4 shown;

void main() {
#ifdef PLAIN
    vec3 mixed = colour;
#else
    vec3 mixed = texture(pictures, base).rgb;
#if LAYERS > 0
    for (int i = 0; i < LAYERS; ++i) {
        mixed = mix(texture(pictures, over[i]).rgb, mixed, texture(masks, mask[i]).r);
    }
#endif
#endif
#ifdef CUT
    mixed *= 0.62;  // a dollhouse stands out from its ground
#endif
    shown = vec4(fogged(mixed * light, clear_share, 1.0), 1.0);
}
