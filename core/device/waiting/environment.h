#pragma once

/// How often a thread looks before it sleeps, unless the person's environment says otherwise.
extern "C" const char* lw_spin_count();
