#pragma once
/// LibTorch's parallel loops and its number of threads, for tests.

#include "tests/support/catch_torch.h"

#include <ATen/Parallel.h>
