// OPAQUE, CLIP (alpha test), BLENDED, or XRAY: the colour of the tint alone, stronger where a face is seen from aside.
in vec3 seen;
in vec3 picture;
in vec4 colour;
flat in float reference;

uniform sampler2DArray pictures;
uniform vec4 tint;       // its opacity over the picture
uniform int roofs_off;   // 0: roofs are drawn, 1: a room's, 2: a building's are left out
uniform vec2 roof;       // how level a roof is at least; the height, from the eye, where a building's begin

out vec4 shown;

// Floors are the brightest, ceilings the darkest, and no two walls of a corner are alike.
float shade(vec3 n) {
    return 0.74 + 0.2 * n.z + 0.13 * n.x + 0.08 * n.y;
}

void main() {
#ifndef XRAY
    vec4 texel = texture(pictures, picture);
#endif
    vec3 towards_eye = normalize(cross(dFdx(seen), dFdy(seen)));
    vec3 front = gl_FrontFacing ? towards_eye : -towards_eye;
    if (roofs_off == 1 && front.z < -roof.x) discard;
    if (roofs_off == 2 && abs(front.z) > roof.x && seen.z > roof.y) discard;
#ifdef XRAY
    float aside = 1.0 - abs(dot(towards_eye, normalize(seen)));
    shown = vec4(tint.rgb * tint.a * (0.55 + 1.1 * aside * aside), 1.0);
#else
#ifdef CLIP
    if (texel.a < reference) discard;
#endif
    vec3 mixed = mix(texel.rgb * colour.rgb, tint.rgb, tint.a) * shade(towards_eye);
#ifdef BLENDED
    shown = vec4(mixed, texel.a * colour.a);
#else
    shown = vec4(mixed, 1.0);
#endif
#endif
}
