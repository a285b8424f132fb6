#pragma once
/// Tests tagged [cuda] run where a GPU is usable and pass without a claim elsewhere.

#include "core/api/doctor.h"
#include "core/device/device.h"

namespace lw::test {

/// True on a machine with a usable GPU; LibTorch's CUDA part is then loaded.
inline bool gpu_is_there() { return !cuda_state().devices.empty(); }

}  // namespace lw::test

/// First line of a test that needs a GPU.
#define LW_NEEDS_GPU                                       \
    if (!lw::test::gpu_is_there()) {                       \
        SUCCEED("No GPU here: " << lw::cuda_state().note); \
        return;                                            \
    }
