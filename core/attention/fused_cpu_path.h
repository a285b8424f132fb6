#pragma once
/// The path that trains static biases and DAPE v1 on the CPU, forward and backward by the Highway kernels.

#include "core/attention/attention.h"

namespace lw {

extern const AttentionPath kFusedCpuTrainingPath;

}  // namespace lw
