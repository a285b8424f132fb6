// Only here to build the precompiled header that the test programs of core/ share: it must come from a program, since
// libraries are compiled as position-independent in another way.
int main() { return 0; }
