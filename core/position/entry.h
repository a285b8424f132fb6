#pragma once
/// An entry of the registry: a method's description and the function that makes its module.
/// Adding a method is one file core/position/<slot>/<id>.cpp and one line in that folder's entries.def.

#include "core/api/scheme.h"
#include "core/position/slots.h"

#include <variant>

namespace lw {

template <class Slot>
using Make = std::shared_ptr<Slot> (*)(const Params&, const SlotShape&);

using Factory = std::variant<Make<PositionMap>, Make<InputEncoding>, Make<Rotation>, Make<FrequencyScaling>, Make<DistanceMap>, Make<Bias>,
                             Make<Adaptive>, Make<Temperature>, Make<Visibility>, Make<Normaliser>>;

struct Entry {
    MethodInfo info;
    Factory make;                    ///< gets complete, checked parameters
    /// Checks that bounds cannot say ("0 or at least 1"); throws Failure(invalid_argument). May be null.
    void (*check)(const Params&) = nullptr;
    std::vector<std::string> shown;  ///< parameters that scheme_line() shows even at their default
    /// What the formula comes to beside its parameters ("mₕ = 0.5, 0.25, …"), complete and checked; null where they say it all.
    std::string (*values)(const Params&, const ModelShape&) = nullptr;
    /// What the method costs, counted from its own code; null where what holds for its slot says it.
    MethodCost (*cost)(const Params&, const ModelShape&) = nullptr;
    /// The last position that a bounded table has, for training at so many tokens; infinite where what lies past it is served. Null without a table.
    double (*reach)(const Params&, std::int64_t) = nullptr;
};

/// All entries, slot by slot in the order of slots().
const std::vector<const Entry*>& entries();
/// Throws Failure(not_found) with the nearest names.
const Entry& find_entry(const std::string& slot, const std::string& id);

// Parameters of a checked scheme by name. A missing or mistyped one is a programming mistake: Failure(internal).
bool flag_param(const Params& params, const std::string& id);
std::int64_t integer_param(const Params& params, const std::string& id);
double real_param(const Params& params, const std::string& id);
std::string choice_param(const Params& params, const std::string& id);
std::vector<double> list_param(const Params& params, const std::string& id);
/// The numbers of a list's text; throws Failure(invalid_argument) naming the first word that is none.
std::vector<double> numbers_of(const std::string& text);

/// Bounds and step of a number; both bounds inclusive.
struct Range {
    double min = 0;
    double max = 1;
    double step = 0;
    bool logarithmic = false;
};
/// What a form shows of a parameter. A help with "0 = <what follows from the model or the text>" makes 0 automatic (ParamSpec::zero).
struct Label {
    std::string id;
    std::string text;
    std::string help;
    std::string unit{};
    std::string symbol{};  ///< where the text does not end with it
};
ParamSpec real_spec(const Label& label, double default_value, const Range& range);
ParamSpec integer_spec(const Label& label, std::int64_t default_value, const Range& range);
ParamSpec flag_spec(const Label& label, bool default_value);
/// Numbers in a text, separated by commas or blanks; Range bounds each of them.
ParamSpec list_spec(const Label& label, const std::string& default_value, const Range& range);
ParamSpec choice_spec(const Label& label, const std::string& default_value, std::vector<std::string> choices);

/// What the help says that 0 stands for: "0 = the training length." -> "the training length"; "" where it says nothing.
std::string meaning_of_zero(const std::string& help);

/// A claim by id with its sentence; every id has a test in the conformance harness. Unknown: Failure(internal).
ClaimInfo claim(const std::string& id);
std::vector<ClaimInfo> claims(const std::vector<std::string>& ids);
/// All known claims.
const std::vector<ClaimInfo>& known_claims();

/// A scale factor: 0 (automatic) or at least 1. Throws Failure(invalid_argument) naming the parameter.
void check_factor(const std::string& method, const Params& params, const std::string& id = "factor");
/// The factor in force: the given one, or max(1, length / L) when it is 0.
double resolved_factor(double factor, std::int64_t length, std::int64_t train_length);

}  // namespace lw
