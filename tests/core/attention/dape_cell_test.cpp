/// The cell arithmetic that the CUDA kernel runs, on the CPU against the plain path.
#include "tests/support/catch_torch.h"

#include "core/attention/kernels/dape_cell.h"
#include "core/attention/score_tile.h"
#include "tests/support/schemes.h"

using namespace lw;
using namespace lw::test;

TEST_CASE("the GPU kernel's cell arithmetic gives the plain path's logits for every variant", "[attention]") {
    const at::NoGradGuard no_gradient;
    const InputSizes sizes{.batch = 1, .queries = 11, .keys = 11};
    for (const auto* variant : {"concat_residual", "concat", "add_residual", "bias_only"}) {
        const auto scheme = build(scheme_with("dape-kerple", "adaptive", "variant", std::string(variant)), shape_for(sizes));
        const auto& layer = scheme->layer(0);
        const auto parts = score_parts(layer, random_inputs(sizes, at::kFloat), {0, 11}, {0, 11});
        const auto expected = parts.logit()[0];  // [H, r, c]
        const auto network = *layer.adaptive->network();
        const auto w1 = network.w1.contiguous(), w2t = network.w2.t().contiguous();
        const kernels::DapeWeights weights{w1.const_data_ptr<float>(), network.b1.const_data_ptr<float>(), w2t.const_data_ptr<float>(),
                                           network.b2.const_data_ptr<float>(), 4, static_cast<int>(w1.size(0)), static_cast<int>(w1.size(1)),
                                           static_cast<float>(network.slope), parts.adds_bias};
        auto u = network.sums_inputs ? parts.content[0] + parts.bias
                                     : at::cat({network.reads_content ? parts.content[0] : parts.bias.narrow(0, 0, 0), parts.bias}, 0);  // [C, r, c]
        for (std::int64_t i = 0; i < 11; ++i) {
            for (std::int64_t j = 0; j <= i; ++j) {
                const auto at_cell = [&](const at::Tensor& x) { return x.select(1, i).select(1, j).contiguous(); };
                const auto inputs = at_cell(u), content = at_cell(parts.content[0]), bias = at_cell(parts.bias);
                auto logit = at::empty({4});
                kernels::dape_cell(weights, inputs.const_data_ptr<float>(), content.const_data_ptr<float>(), bias.const_data_ptr<float>(), logit.data_ptr<float>());
                CAPTURE(variant, i, j);
                CHECK(largest_difference(logit, at_cell(expected)) < 1e-4);
            }
        }
    }
}
