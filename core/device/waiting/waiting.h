#pragma once
/// How threads of LibTorch wait for each other; see waiting.cpp.

/// Whether they were told to sleep. To ask is also what keeps the library in the program, where a linker drops those that nothing refers to.
extern "C" bool lw_waiting_is_passive();
