uniform vec4 fill;

out vec4 shown;

void main() {
    shown = fill;
}
