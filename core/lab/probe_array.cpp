#include "core/lab/probe_array.h"

#include "core/api/result.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace lw {

namespace {

using nlohmann::json;

/// Shape of nested lists by their first members; append() finds the ones that do not fit.
std::vector<std::int64_t> shape_of(const json& list) {
    std::vector<std::int64_t> shape;
    for (const json* level = &list; level->is_array(); level = &level->front()) {
        shape.push_back(static_cast<std::int64_t>(level->size()));
        if (level->empty()) break;
    }
    return shape;
}

void append(const json& value, std::vector<double>& numbers) {
    if (value.is_array()) {
        for (const auto& item : value) append(item, numbers);
    } else if (value.is_null()) {
        numbers.push_back(std::numeric_limits<double>::quiet_NaN());
    } else if (value.is_boolean()) {
        numbers.push_back(value.get<bool>() ? 1 : 0);
    } else if (value.is_number()) {
        numbers.push_back(value.get<double>());
    } else {
        throw Failure(ErrorKind::invalid_argument, fmt::format("An array holds {}, which is no number.", value.dump()));
    }
}

}  // namespace

at::Tensor tensor_of(const json& array) {
    const bool shaped = array.is_object();
    const json& data = shaped ? array.at("data") : array;
    const auto shape = shaped ? array.at("shape").get<std::vector<std::int64_t>>() : shape_of(data);
    std::vector<double> numbers;
    append(data, numbers);
    std::int64_t size = 1;
    for (const auto length : shape) size *= length;
    if (size != static_cast<std::int64_t>(numbers.size())) {
        throw Failure(ErrorKind::invalid_argument, fmt::format("An array of shape [{}] holds {} numbers.", fmt::join(shape, ", "), numbers.size()));
    }
    return at::tensor(numbers, at::kDouble).view(shape);
}

json array_of(const at::Tensor& tensor) {
    const auto flat = tensor.detach().to(at::kCPU, at::kDouble).contiguous();
    if (tensor.dim() == 0) return flat.item<double>();
    json data = json::array();
    for (std::int64_t n = 0; n < flat.numel(); ++n) {
        const double value = flat.const_data_ptr<double>()[n];
        data.push_back(std::isfinite(value) ? json(value) : json());
    }
    return {{"shape", flat.sizes().vec()}, {"data", std::move(data)}};
}

Tolerance Tolerance::of(const json& tolerance) { return {tolerance.at("abs").get<double>(), tolerance.at("rel").get<double>()}; }

double Tolerance::allowed(double expected) const { return absolute + relative * std::abs(expected); }

}  // namespace lw
