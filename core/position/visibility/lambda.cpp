/// Λ mask (LM-Infinite). Query i reads the first n_global keys of the text and keys with i - j < n_local; n_local = L where it is 0.
/// Its clipped distances are the distance map "lm-infinite".
/// Han et al. 2023, arXiv 2308.16137; Glaciohound/LM-Infinite.
#include "core/position/cells.h"
#include "core/position/entry.h"
#include "core/position/recent_cells.h"

namespace lw {

namespace {

std::shared_ptr<Visibility> make(const Params& params, const SlotShape& shape) {
    return std::make_shared<RecentAndFirst>(tokens_or_share(integer_param(params, "local"), 1, shape.train_length) - 1, integer_param(params, "global"));
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "visibility";
    info.id = "lambda";
    info.name = "Λ mask";
    info.summary = "Every query reads the first keys of the text and a local window.";
    info.formula = "visible: j < n_global, or 0 ≤ i − j < n_local";
    info.paper = "Han, Wang, Peng, Xiong, Chen, Ji, Wang (2023): LM-Infinite: Zero-Shot Extreme Length Generalization for Large Language Models";
    info.url = "https://arxiv.org/abs/2308.16137";
    info.beyond_training = "Perplexity stays flat together with the distance map \"lm-infinite\". Keys between the first ones and the local window are not read.";
    info.claims = claims({"hides-future", "fixed"});
    info.params = {
        integer_spec({"global", "First keys", "Keys at the start of the text that every query reads.", "tokens", "n_global"}, 10, {0, 1024, 1}),
        integer_spec({"local", "Local window", "Keys that a query reads, its own included. 0 = the training length.", "tokens", "n_local"}, 0, {0, 1048576, 1}),
    };
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::visibility {
const Entry& lambda() {
    static const Entry entry{describe(), Make<Visibility>{make}, nullptr, {"global", "local"}};
    return entry;
}
}  // namespace entries_of::visibility

}  // namespace lw
