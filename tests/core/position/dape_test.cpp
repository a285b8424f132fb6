/// Properties of the adaptive term that hold for any weights.
#include "tests/core/position/probe.h"

namespace lw {

namespace {

SlotShape with_bias(bool has_bias) {
    auto shape = probe_shape();
    shape.has_bias = has_bias;
    return shape;
}

Params variant(const std::string& name) { return {{"variant", name}}; }

}  // namespace

TEST_CASE("a last layer of zeros leaves the base bias as it is, bit for bit", "[encoding]") {
    const auto geometry = geometry_of(0, 12, 12);
    for (const char* id : {"dape", "dape-v2"}) {
        Probe probe(find_entry("adaptive", id), {{"initial", std::string("zero_last")}});
        const auto f = probe.run(geometry);
        CHECK(f.abs().max().item<double>() == 0);
        const auto sum = probe_content(geometry, 4)[0] + probe_bias(geometry, 4);
        CHECK(at::equal(sum + f, sum));
    }
}

TEST_CASE("DAPE starts away from zero, as published", "[encoding]") {
    Probe probe(find_entry("adaptive", "dape"), {});
    CHECK(probe.run(geometry_of(0, 6, 6)).abs().min().item<double>() > 0);
}

TEST_CASE("DAPE v2 with kernel 1 is DAPE on the visible triangle", "[encoding]") {
    const auto geometry = geometry_of(0, 14, 14);
    for (const char* name : {"concat_residual", "concat", "add_residual", "bias_only"}) {
        INFO(name);
        Probe one(find_entry("adaptive", "dape"), variant(name));
        auto params = variant(name);
        params["kernel"] = std::int64_t{1};
        Probe two(find_entry("adaptive", "dape-v2"), params);
        for (const auto& item : one.module().named_parameters()) set(two.module(), item.key(), item.value());
        CHECK(largest_difference(masked(one.run(geometry), geometry), masked(two.run(geometry), geometry)) < 1e-12);
        CHECK(two.adaptive()->halo() == 0);
    }
}

TEST_CASE("each variant reads and adds what its formula says", "[encoding]") {
    const auto geometry = geometry_of(0, 7, 7);
    const auto content = probe_content(geometry, 4), bias = probe_bias(geometry, 4);
    const auto f = [&](Probe& probe, const at::Tensor& s, const at::Tensor& b) { return probe.adaptive()->tile(s, b, geometry); };
    Probe residual(find_entry("adaptive", "dape"), variant("concat_residual")), concat(find_entry("adaptive", "dape"), variant("concat"));
    Probe add(find_entry("adaptive", "dape"), variant("add_residual")), only(find_entry("adaptive", "dape"), variant("bias_only"));
    CHECK(residual.adaptive()->adds_bias());
    CHECK_FALSE(concat.adaptive()->adds_bias());
    // add_residual sees the sum only: moving a constant from S to B changes nothing.
    CHECK(largest_difference(f(add, content + 1, bias - 1), f(add, content, bias)) < 1e-12);
    CHECK(largest_difference(f(residual, content + 1, bias - 1), f(residual, content, bias)) > 1e-3);
    // bias_only does not see the text.
    CHECK(at::equal(f(only, content * 3, bias), f(only, content, bias)));
    CHECK(largest_difference(f(only, content, bias * 3), f(only, content, bias)) > 1e-3);
}

TEST_CASE("without a bias DAPE reads content alone and knows no position", "[encoding]") {
    Probe probe(find_entry("adaptive", "dape"), {}, with_bias(false));
    const auto geometry = geometry_of(0, 8, 8);
    const auto content = probe_content(geometry, 4);
    const auto f = probe.adaptive()->tile(content, {}, geometry);
    const auto order = at::tensor({5, 1, 7, 0, 2, 6, 3, 4}, at::kLong);
    const auto permuted = content.index_select(2, order).index_select(3, order);
    CHECK(largest_difference(probe.adaptive()->tile(permuted, {}, geometry), f.index_select(2, order).index_select(3, order)) < 1e-12);
    CHECK_THROWS_WITH(Probe(find_entry("adaptive", "dape"), variant("bias_only"), with_bias(false)), Catch::Contains("bias_only"));
}

TEST_CASE("the network that DAPE shows to fast kernels is the one it runs", "[encoding]") {
    const auto geometry = geometry_of(0, 6, 6);
    const auto content = probe_content(geometry, 4), bias = probe_bias(geometry, 4);
    for (const char* name : {"concat_residual", "concat", "add_residual", "bias_only"}) {
        INFO(name);
        Probe probe(find_entry("adaptive", "dape"), variant(name));
        const auto net = probe.adaptive()->network();
        REQUIRE(net.has_value());
        std::vector<at::Tensor> channels;
        if (net->sums_inputs) channels = {content + bias};
        else {
            if (net->reads_content) channels.push_back(content);
            if (net->reads_bias) channels.push_back(bias.unsqueeze(0));
        }
        const auto u = at::cat(channels, 1);
        REQUIRE(net->w1.size(1) == u.size(1));
        const auto hidden = at::leaky_relu(at::einsum("dc,bcij->bdij", {net->w1, u}) + net->b1.view({1, -1, 1, 1}), net->slope);
        const auto f = at::einsum("hd,bdij->bhij", {net->w2, hidden}) + net->b2.view({1, -1, 1, 1});
        CHECK(largest_difference(f, probe.adaptive()->tile(content, bias, geometry)) < 1e-12);
    }
    Probe second(find_entry("adaptive", "dape-v2"), {});
    CHECK_FALSE(second.adaptive()->network().has_value());
}

TEST_CASE("row blocks of DAPE v2 equal the whole pass with every kernel", "[encoding]") {
    for (const std::int64_t kernel : {1, 3, 5, 7}) {
        Probe probe(find_entry("adaptive", "dape-v2"), {{"kernel", kernel}});
        CHECK(probe.adaptive()->halo() == kernel - 1);
        const auto whole = masked(probe.run(geometry_of(0, 30, 30)), geometry_of(0, 30, 30));
        for (std::int64_t first = 0; first < 30; first += 10) {
            // Keys up to the block's last query are enough: later ones are masked for all of its rows.
            const auto geometry = geometry_of(first, 10, first + 10);
            const auto block = masked(probe.run(geometry), geometry);
            CHECK(largest_difference(block, whole.slice(1, first, first + 10).slice(2, 0, first + 10)) < 1e-12);
        }
    }
}

TEST_CASE("talking heads are DAPE without a bias, an activation and bias terms", "[encoding]") {
    const auto geometry = geometry_of(0, 8, 8);
    const auto content = probe_content(geometry, 4), bias = probe_bias(geometry, 4);
    Probe heads(find_entry("adaptive", "talking-heads"), {});
    Probe linear(find_entry("adaptive", "dape"), {{"hidden", std::int64_t{4}}, {"slope", 1.0}, {"linear_bias", false}}, with_bias(false));
    const auto mixing = heads.module().named_parameters()["weight"].detach();
    set(linear.module(), "first.weight", mixing);
    set(linear.module(), "second.weight", at::eye(4));
    const auto f = heads.adaptive()->tile(content, bias, geometry);
    CHECK(largest_difference(f, linear.adaptive()->tile(content, {}, geometry)) < 1e-12);
    CHECK(largest_difference(f, at::einsum("gh,bhij->bgij", {mixing, content})) < 1e-12);
    CHECK(heads.adaptive()->network()->slope == 1);
    Probe quiet(find_entry("adaptive", "talking-heads"), {{"initial", std::string("zero")}});
    CHECK(quiet.run(geometry).abs().max().item<double>() == 0);
}

TEST_CASE("DAPE v2 gives a row the same values whether or not text follows", "[encoding]") {
    Probe probe(find_entry("adaptive", "dape-v2"), {});
    const auto decode = probe.run(geometry_of(9, 1, 10));
    const auto full = probe.run(geometry_of(0, 20, 20)).slice(1, 9, 10).slice(2, 0, 10);
    CHECK(largest_difference(decode, full) < 1e-12);
    // At a sequence's declared end the hidden layer is padded with zeros instead, as in one pass of the published code.
    auto ending = geometry_of(9, 1, 10);
    ending.sequence_ends = true;
    const auto padded = probe.run(ending);
    CHECK(largest_difference(padded.slice(2, 0, 9), decode.slice(2, 0, 9)) < 1e-12);
    CHECK(largest_difference(padded, decode) > 1e-6);
}

TEST_CASE("without the zeroed triangle DAPE v2 would read the future", "[encoding]") {
    Probe probe(find_entry("adaptive", "dape-v2"), {});
    auto honest = geometry_of(0, 8, 8), blind = honest;
    blind.query_positions = blind.query_positions + 100;  // all keys count as past: nothing is zeroed
    const auto content = probe_content(honest, 4), bias = probe_bias(honest, 4);
    auto changed = content.clone();
    changed.slice(3, 5, 8) += 9;
    const auto row = [&](const at::Tensor& s, const TileGeometry& g) { return probe.adaptive()->tile(s, bias, g).select(2, 4).slice(2, 0, 5); };
    CHECK(at::equal(row(content, honest), row(changed, honest)));
    CHECK(largest_difference(row(content, blind), row(changed, blind)) > 0.1);
}

}  // namespace lw
