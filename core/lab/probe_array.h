#pragma once
/// Arrays and tolerances of files of independent numbers (docs/probe.md).

#include <ATen/core/Tensor.h>
#include <nlohmann/json.hpp>

namespace lw {

/// {"shape", "data"}, or plain lists of numbers of any depth, as float64; null becomes NaN. Throws Failure(invalid_argument) where
/// the numbers do not fill the shape.
at::Tensor tensor_of(const nlohmann::json& array);
/// The other way: {"shape", "data"} with null for what is not finite; a tensor without axes is a plain number.
nlohmann::json array_of(const at::Tensor& tensor);

struct Tolerance {
    double absolute = 0;
    double relative = 0;
    /// From {"abs", "rel"}.
    static Tolerance of(const nlohmann::json& tolerance);
    /// absolute + relative · |expected|.
    [[nodiscard]] double allowed(double expected) const;
};

}  // namespace lw
