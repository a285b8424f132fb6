#pragma once
/// One case of a probe file, read with sentences: what a handler computes from.

#include "core/attention/score_tile.h"
#include "core/lab/probe_array.h"
#include "core/position/make_entry.h"

#include <set>
#include <stdexcept>

namespace lw {

/// A case that the library cannot compute at all, with the reason: another form of the method, or something missing in the case.
class UnknownCase : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class ProbeInput {
public:
    using json = nlohmann::json;
    /// Both must outlive it.
    ProbeInput(const json& test, const json& file);

    [[nodiscard]] const json& params() const { return params_; }
    [[nodiscard]] const json& expected() const { return expected_; }
    [[nodiscard]] bool has(const std::string& param) const { return params_.contains(param); }
    [[nodiscard]] bool gives(const std::string& input) const { return inputs_.contains(input); }

    // Parameters by name; without a fallback an absent or mistyped one is an UnknownCase that names it.
    [[nodiscard]] double real(const std::string& id) const;
    [[nodiscard]] double real(const std::string& id, double fallback) const;
    [[nodiscard]] std::int64_t integer(const std::string& id) const;
    [[nodiscard]] std::int64_t integer(const std::string& id, std::int64_t fallback) const;
    /// A number for which the entry reads 0 as "automatic", while the case means what it says: below `least` it is refused with a sentence.
    void not_below(const std::string& id, std::int64_t least) const;
    [[nodiscard]] bool flag(const std::string& id, bool fallback) const;
    [[nodiscard]] std::string word(const std::string& id) const;
    [[nodiscard]] std::string word(const std::string& id, const std::string& fallback) const;
    /// UnknownCase unless the parameter is absent or has the value: the library knows this one form only.
    void only(const std::string& id, const json& value) const;

    // Inputs by name.
    [[nodiscard]] const json& input(const std::string& id) const;
    /// As tensor_of(); UnknownCase where it is neither a list nor a number.
    [[nodiscard]] at::Tensor array(const std::string& id) const;
    [[nodiscard]] std::vector<double> numbers(const std::string& id) const;
    /// One whole number; UnknownCase for any other.
    [[nodiscard]] std::int64_t whole_input(const std::string& id) const { return whole_number(input(id), id); }

    /// The entry's parameters that the case names, by the same id or by `names` (id -> name in the case, "" = not
    /// taken from it), as their spec says.
    [[nodiscard]] Params params_for(const std::string& slot, const std::string& id, const std::map<std::string, std::string>& names = {}) const;
    /// H, D, E and L of the parameters; H and D else from q.
    [[nodiscard]] SlotShape shape() const;
    /// Positions of queries and keys: "positions_q" and "positions_k", "positions" for both, or places 0, 1, ... with the queries last.
    [[nodiscard]] TileGeometry geometry() const;
    /// Plain q and k (and v) with one sequence in front: [H, T, d] or [T, d] -> [1, H, T, d].
    [[nodiscard]] AttentionInputs attention() const;
    /// Another case of the same file.
    [[nodiscard]] ProbeInput other(const std::string& id) const;

    /// Counts an input as read: one that is compared with what the library computes.
    void mark_input(const std::string& id) const { read_inputs_.insert(id); }
    /// Parameters ("params.scale") and inputs ("inputs.b") that nothing has read so far and that do not merely describe: a result that
    /// takes no account of them may be another method's.
    [[nodiscard]] std::vector<std::string> not_read() const;

private:
    [[nodiscard]] static std::int64_t whole_number(const json& value, const std::string& id);
    [[nodiscard]] const json* find(const json& object, const std::string& id) const;

    const json& file_;
    json params_, inputs_, expected_;
    mutable std::set<std::string> read_params_, read_inputs_;
};

/// For sizes that a case names without giving the numbers: refuses what would not fit the free memory, naming the size and the memory.
/// `values`: numbers that come of it, counted as tensor and as JSON. Throws Failure(out_of_memory).
void refuse_size(const std::string& name, std::int64_t size, double values);

/// [1, ...] -> [...], as JSON.
inline nlohmann::json first_of(const at::Tensor& tensor) { return array_of(tensor[0]); }
/// Hidden cells, where a key lies after its query, as null.
at::Tensor causal_only(const at::Tensor& tile, const TileGeometry& geometry);
/// All scores of one layer's scheme, in the order of the library's own path; plain q and k.
ScoreParts all_scores(const LayerScheme& layer, const AttentionInputs& inputs);

}  // namespace lw
