#pragma once

/// OMP_WAIT_POLICY as it is now, or null.
extern "C" const char* lw_wait_policy();
