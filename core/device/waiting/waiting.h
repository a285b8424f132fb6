#pragma once
/// How threads of LibTorch wait for each other; see waiting.cpp.

/// Whether they sleep soon, as set by the program and not otherwise by the person. To ask is also what keeps the library in the program, where a linker drops those that nothing refers to.
extern "C" bool lw_waiting_is_short();
