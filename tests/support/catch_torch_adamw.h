#pragma once
/// catch_torch.h with LibTorch's own AdamW, which ours is compared with.

#include <torch/optim/adamw.h>

#include "tests/support/catch_torch.h"
