in vec4 colour;

uniform float strength;
uniform float hatching;  // pixels between strokes, 0: filled evenly

out vec4 shown;

void main() {
    if (hatching > 0.0 && mod(gl_FragCoord.x + gl_FragCoord.y, hatching) >= 1.5) discard;
    shown = vec4(colour.rgb, colour.a * strength);
}
