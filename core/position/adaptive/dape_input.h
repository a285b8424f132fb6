#pragma once
/// What both versions of DAPE share: the variants of their input, their parameters, their initial values, their description.

#include "core/position/entry.h"

#include <string>

namespace lw {

/// Which channels the network reads, and whether the static bias is added besides.
struct DapeInput {
    bool reads_content = true;
    bool reads_bias = true;
    bool sums = false;       ///< reads S + B instead of S and B side by side
    bool adds_bias = true;
    std::int64_t channels = 0;
};

/// Without a static bias every variant reads S alone; "bias_only" is refused then.
DapeInput dape_input(const std::string& variant, const SlotShape& shape);

/// What both versions are made with, besides their two layers.
class DapeNetwork : public Adaptive {
public:
    DapeNetwork(const Params& params, const SlotShape& shape);
    bool adds_bias() const override { return input_.adds_bias; }

protected:
    /// Zero weight and bias of the last layer where the parameters ask for it, so that f is 0 before training.
    void start(torch::nn::Module& last) const;

    DapeInput input_;
    std::int64_t hidden_;
    double slope_;
    bool biases_;  ///< the layers have bias terms

private:
    bool starts_at_zero_;
};

/// "channels 16 → 32 → 8": C, D and H.
std::string dape_values(const Params& params, const ModelShape& shape);
/// Both layers at every pair, each reading `kernel` keys, and the addition of f to the score.
MethodCost dape_network_cost(const Params& params, const ModelShape& shape, std::int64_t kernel);

/// Everything of a version's description but its own words.
MethodInfo dape_info(const std::string& id);

}  // namespace lw
