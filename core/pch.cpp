// Only here to build the precompiled header that the other targets reuse.
