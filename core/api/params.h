#pragma once
/// Parameters of self-describing things (methods, tasks): values, and specs from which forms, help and checks are made.

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace lw {

using ParamValue = std::variant<bool, std::int64_t, double, std::string>;
using Params = std::map<std::string, ParamValue>;

enum class ParamType { boolean, integer, real, choice, list };

/// One parameter: everything a form, a command line, the catalogue and the checks need.
struct ParamSpec {
    std::string id;     ///< key in files and on the command line, snake_case, permanent
    std::string label;  ///< sentence case, for forms
    std::string unit;   ///< "" when it has none
    std::string help;   ///< one or two sentences
    ParamType type = ParamType::real;
    ParamValue default_value;  ///< list: numbers in a text, "1, 1.5, 2"; "" = none given
    double min = 0;  ///< inclusive, integer and real only
    double max = 0;
    double step = 0;
    bool logarithmic = false;          ///< a slider should move on a log scale
    std::vector<std::string> choices;  ///< choice only
    /// What 0 stands for where it is worked out from the model or the text ("the training length"): shown as "auto", and "auto" is read as 0. ""
    /// where 0 is a number like any other.
    std::string zero{};
    std::string symbol{};              ///< in the method's formula; "" = the label's last word where that is a symbol ("Factor s")
};

}  // namespace lw
