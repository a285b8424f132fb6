/// Rows of biases that a case of the group "evaluation" gives by a name and numbers.

#include "core/lab/probe_handlers.h"
#include "core/lab/probe_modules.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

namespace lw {

namespace {

using nlohmann::json;

/// A row over δ = 0 .. n - 1 that a case gives by a name and numbers.
struct NamedRow {
    std::size_t numbers = 0;
    at::Tensor (*row)(const std::vector<double>& numbers, const at::Tensor& distances) = nullptr;
};

at::Tensor over(Bias& bias, const at::Tensor& distances, std::int64_t head = 0) {
    TileGeometry geometry;
    geometry.query_positions = geometry.key_positions = at::zeros({1}, at::kDouble);
    return bias.by_distance(distances, geometry)[head];
}

at::Tensor kerple_row(const char* id, const std::vector<double>& numbers, const at::Tensor& distances) {
    SlotShape shape;
    shape.heads = 1;
    return over(*bias_with(id, json::object(), {{"p", {numbers[0]}}, {"a", {numbers[1]}}}, shape), distances);
}

/// Head h = 1 .. H of H.
at::Tensor sandwich_row(const std::vector<double>& numbers, const at::Tensor& distances) {
    SlotShape shape;
    shape.heads = std::llround(numbers[1]);
    const auto head = std::llround(numbers[0]);
    if (head < 1 || head > shape.heads) throw UnknownCase(fmt::format("there is no head {} of {}", head, shape.heads));
    return over(*bias_with("sandwich", {{"subtract_half", false}}, json::object(), shape), distances, head - 1);
}

const std::map<std::string, NamedRow>& named_rows() {
    using Numbers = const std::vector<double>&;
    static const std::map<std::string, NamedRow> all = {
        {"flat", {0, [](Numbers, const at::Tensor& distances) { return at::zeros_like(distances); }}},
        {"alibi", {1, [](Numbers n, const at::Tensor& distances) { return over(*alibi_of_slope(n[0]), distances); }}},
        {"kerple-log", {2, [](Numbers n, const at::Tensor& distances) { return kerple_row("kerple-log", n, distances); }}},
        {"kerple-power", {2, [](Numbers n, const at::Tensor& distances) { return kerple_row("kerple-power", n, distances); }}},
        {"sandwich", {2, sandwich_row}},
    };
    return all;
}

/// "0.5", "1/16"; NaN for what is no number.
double number_of(const std::string& word) {
    const bool inverse = word.rfind("1/", 0) == 0;
    char* end = nullptr;
    const double number = std::strtod(word.c_str() + (inverse ? 2 : 0), &end);
    return *end != '\0' ? NAN : inverse ? 1 / number : number;
}

}  // namespace

at::Tensor named_row(const std::string& name, std::int64_t count) {
    std::istringstream words(name);
    std::string id;
    words >> id;
    const double sign = id == "negated" ? -1 : 1;
    if (sign < 0) words >> id;
    std::vector<double> numbers;
    for (std::string word; words >> word;) numbers.push_back(number_of(word));
    const auto found = named_rows().find(id);
    if (found == named_rows().end()) throw UnknownCase(fmt::format("the row \"{}\" is not known", name));
    const bool readable = std::none_of(numbers.begin(), numbers.end(), [](double number) { return std::isnan(number); });
    if (numbers.size() != found->second.numbers || !readable) {
        throw UnknownCase(fmt::format("the row \"{}\" is not written as {} with {} numbers behind it", name, id, found->second.numbers));
    }
    refuse_size("n", count, 4 * static_cast<double>(count));  // the row and what is measured of it
    return sign * found->second.row(numbers, at::arange(count, at::kDouble));
}

}  // namespace lw
