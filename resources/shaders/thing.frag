// OPAQUE, CLIP (alpha test) or BLENDED.
in float clear_share;
in vec3 picture;
in vec4 colour;
flat in vec2 rule;

uniform sampler2DArray pictures;

out vec4 shown;

void main() {
    vec4 texel = texture(pictures, picture);
#ifdef CLIP
    if (texel.a < rule.x) discard;
#endif
    vec3 lit = fogged(texel.rgb * colour.rgb, clear_share, rule.y);
#ifdef BLENDED
    shown = vec4(lit, texel.a * colour.a);
#else
    shown = vec4(lit, 1.0);
#endif
}
