/// Sliding window. Query i reads keys j with 0 <= i - j < W; W = L where it is 0. The diagonal counts: W = 1 reads the token itself only.
/// Beltagy, Peters, Cohan 2020, arXiv 2004.05150 (the causal half of it).
#include "core/position/cells.h"
#include "core/position/entry.h"
#include "core/position/recent_cells.h"

namespace lw {

namespace {

std::shared_ptr<Visibility> make(const Params& params, const SlotShape& shape) {
    return std::make_shared<RecentAndFirst>(tokens_or_share(integer_param(params, "window"), 1, shape.train_length) - 1, 0);
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "visibility";
    info.id = "window";
    info.name = "Sliding window";
    info.summary = "Every query reads the last W keys only.";
    info.formula = "visible: 0 ≤ i − j < W";
    info.paper = "Beltagy, Peters, Cohan (2020): Longformer: The Long-Document Transformer";
    info.url = "https://arxiv.org/abs/2004.05150";
    info.beyond_training = "No distance is larger than the window, so a window inside the training length meets nothing new. Far tokens are reached only through several layers.";
    info.claims = claims({"hides-future", "fixed"});
    info.params = {
        integer_spec({"window", "Window W", "Keys that a query reads, its own included. 0 = the training length.", "tokens"}, 0, {0, 1048576, 1}),
    };
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::visibility {
const Entry& window() {
    static const Entry entry{describe(), Make<Visibility>{make}, nullptr, {"window"}};
    return entry;
}
}  // namespace entries_of::visibility

}  // namespace lw
