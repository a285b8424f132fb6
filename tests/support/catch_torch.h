#pragma once
/// The one header through which tests see torch and Catch2: torch defines CHECK and LOG, and the last include would win.

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/nn/module.h>

#undef CHECK
#undef LOG
#include <catch2/catch.hpp>
