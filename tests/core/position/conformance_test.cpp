/// What every entry must hold, whatever it is: a new method gets all of this by its line in entries.def.
#include "tests/core/position/probe.h"

#include <regex>
#include <set>

namespace lw {

namespace {

/// Numbers of one row block of `probe`, the future set to 0.
at::Tensor block(Probe& probe, std::int64_t first, std::int64_t rows, std::int64_t columns, at::ScalarType type = at::kDouble) {
    const auto geometry = geometry_of(first, rows, columns);
    const auto result = probe.run(geometry, type);
    return probe.has_cells() ? masked(result, geometry) : result;
}

}  // namespace

TEST_CASE("every entry describes itself completely", "[encoding][conformance]") {
    std::set<std::string> seen;
    for (const Entry* entry : entries()) {
        const auto& info = entry->info;
        INFO(info.slot << ": " << info.id);
        CHECK(seen.insert(info.slot + "/" + info.id).second);
        CHECK(std::regex_match(info.id, std::regex("[a-z][a-z0-9]*(-[a-z0-9]+)*")));
        for (const auto* text : {&info.name, &info.summary, &info.formula, &info.beyond_training}) CHECK_FALSE(text->empty());
        CHECK(std::regex_search(info.paper, std::regex("\\((19|20)[0-9][0-9]\\)")));
        CHECK(info.url.rfind("https://", 0) == 0);
        CHECK_FALSE(info.claims.empty());
        for (const auto& spec : info.params) {
            INFO(spec.id);
            CHECK(std::regex_match(spec.id, std::regex("[a-z][a-z0-9_]*")));
            CHECK_FALSE(spec.label.empty());
            CHECK_FALSE(spec.help.empty());
            if (spec.type == ParamType::integer || spec.type == ParamType::real) CHECK(spec.min < spec.max);
            if (spec.type == ParamType::choice) CHECK(spec.choices.size() > 1);
        }
    }
    CHECK(seen.size() >= 15);
}

TEST_CASE("every entry keeps shapes and stays finite at every length", "[encoding][conformance]") {
    for (const Entry* entry : entries()) {
        Probe probe(*entry, roomy(*entry));
        for (const std::int64_t length : {1, 2, 17, 128, 4 * 16}) {
            INFO(entry->info.id << " at " << length);
            const auto result = probe.run(geometry_of(0, length, length));
            CHECK(result.sizes().vec() == probe.expected_shape(length, length));
            CHECK(result.isfinite().all().item<bool>());
        }
    }
}

TEST_CASE("the same seed gives the same numbers, another seed others where something is learned", "[encoding][conformance]") {
    for (const Entry* entry : entries()) {
        INFO(entry->info.id);
        Probe a(*entry, roomy(*entry), probe_shape(), 7), b(*entry, roomy(*entry), probe_shape(), 7), c(*entry, roomy(*entry), probe_shape(), 8);
        CHECK(at::equal(block(a, 0, 9, 9), block(b, 0, 9, 9)));
        // Some learned values start from constants (SSMax) and are the same for every seed.
        bool drawn = false;
        const auto other = c.module().named_parameters();
        for (const auto& item : a.module().named_parameters()) drawn = drawn || !at::equal(item.value(), *other.find(item.key()));
        CHECK(at::equal(block(a, 0, 9, 9), block(c, 0, 9, 9)) == !drawn);
    }
}

TEST_CASE("the last rows of a long tile equal a short tile with an offset", "[encoding][conformance]") {
    for (const Entry* entry : entries()) {
        Probe probe(*entry, roomy(*entry));
        if (probe.row_axis() == -1) continue;  // no rows
        INFO(entry->info.id);
        const auto all = block(probe, 0, 40, 40);
        CHECK(largest_difference(all.narrow(probe.row_axis(), 33, 7), block(probe, 33, 7, 40)) < 1e-12);
        CHECK(largest_difference(all.narrow(probe.row_axis(), 39, 1), block(probe, 39, 1, 40)) < 1e-12);
    }
}

TEST_CASE("single precision agrees with double, and 16-bit weights do not coarsen positions", "[encoding][conformance]") {
    for (const Entry* entry : entries()) {
        INFO(entry->info.id);
        Probe probe(*entry, roomy(*entry)), other(*entry, roomy(*entry));
        if (probe.is_exact()) continue;  // plain doubles
        const auto exact = block(probe, 0, 60, 60);
        other.module().to(at::kFloat);
        const auto single = block(other, 0, 60, 60, at::kFloat);
        CHECK(single.scalar_type() == at::kFloat);
        CHECK(largest_difference(single.to(at::kDouble), exact) < 2e-4);
        if (entry->info.learned || probe.rotation()) continue;  // stored weights themselves are rounded; rotations: see below
        other.module().to(at::kBFloat16);
        CHECK(at::equal(block(other, 0, 60, 60, at::kFloat), single));
    }
}

TEST_CASE("every parameter works at its smallest and largest value", "[encoding][conformance]") {
    int tried = 0, refused = 0;
    for (const Entry* entry : entries()) {
        for (const auto& spec : entry->info.params) {
            std::vector<ParamValue> values;
            if (spec.type == ParamType::boolean) values = {true, false};
            else if (spec.type == ParamType::choice) values.assign(spec.choices.begin(), spec.choices.end());
            else if (spec.type == ParamType::integer) values = {static_cast<std::int64_t>(spec.min), static_cast<std::int64_t>(spec.max)};
            else if (spec.type == ParamType::list) continue;  // entries' own tests know how many numbers there must be
            else values = {spec.min, spec.max};
            for (const auto& value : values) {
                INFO(entry->info.id << ", " << spec.id << " = " << param_text(value));
                ++tried;
                try {
                    Probe probe(*entry, {{spec.id, value}});
                    CHECK(probe.run(geometry_of(0, 9, 9)).isfinite().all().item<bool>());
                } catch (const Failure& failure) {
                    // Only a rule between two parameters may refuse, and it must name this one.
                    CHECK_THAT(failure.what(), Catch::Contains(spec.id));
                    CHECK(entry->check != nullptr);
                    ++refused;
                }
            }
        }
    }
    CHECK(tried > 80);
    CHECK(refused <= 4);
}

TEST_CASE("a value out of bounds is refused by a sentence with the parameter and the bound", "[encoding][conformance]") {
    for (const Entry* entry : entries()) {
        for (const auto& spec : entry->info.params) {
            INFO(entry->info.id << ", " << spec.id);
            if (spec.type == ParamType::choice) {
                CHECK_THROWS_WITH(checked_params(entry->info, {{spec.id, std::string("nonsense")}}),
                                  Catch::Contains(spec.id) && Catch::Contains("nonsense") && Catch::Contains(spec.choices.front()));
            } else if (spec.type != ParamType::boolean && spec.type != ParamType::list) {
                for (const double bound : {spec.min, spec.max}) {
                    const double beyond = bound + (bound == spec.min ? -1 : 1);
                    CHECK_THROWS_WITH(checked_params(entry->info, {{spec.id, beyond}}),
                                      Catch::Contains(spec.id) && Catch::Contains(fmt::format("{}", bound)));
                }
                CHECK_THROWS_WITH(checked_params(entry->info, {{spec.id, std::string("many")}}), Catch::Contains(spec.id) && Catch::Contains("many"));
            }
        }
        CHECK_THROWS_WITH(checked_params(entry->info, {{"no_such_parameter", 1.0}}), Catch::Contains("no_such_parameter"));
    }
}

TEST_CASE("parameters copied into a fresh module give the same numbers", "[encoding][conformance]") {
    for (const Entry* entry : entries()) {
        INFO(entry->info.id);
        Probe trained(*entry, roomy(*entry), probe_shape(), 3), fresh(*entry, roomy(*entry), probe_shape(), 4);
        const auto source = trained.module().named_parameters();
        bool learns = false;  // what is stored may also be a draw that stays (FoPE)
        for (const auto& item : source) learns = learns || item.value().requires_grad();
        CHECK(learns == entry->info.learned);
        for (const auto& item : source) set(fresh.module(), item.key(), item.value());
        CHECK(trained.module().named_buffers().is_empty());
        CHECK(at::equal(block(trained, 0, 20, 20), block(fresh, 0, 20, 20)));
    }
}

TEST_CASE("gradients of learned parameters agree with central differences", "[encoding][conformance]") {
    const auto geometry = geometry_of(3, 5, 8);
    for (const Entry* entry : entries()) {
        if (!entry->info.learned) continue;
        Probe probe(*entry, roomy(*entry));
        const auto loss = [&] {
            const auto value = probe.run_with_gradients(geometry);
            const auto weights = at::cos(at::arange(value.numel(), at::kDouble)).view(value.sizes());
            return ((probe.has_cells() ? masked(value, geometry) : value) * weights).sum();
        };
        loss().backward();
        for (const auto& item : probe.module().named_parameters()) {
            INFO(entry->info.id << ": " << item.key());
            const at::NoGradGuard no_grad;
            auto values = item.value().view(-1);
            REQUIRE(item.value().grad().defined());
            const auto grad = item.value().grad().reshape(-1);
            const auto stride = std::max<std::int64_t>(1, values.numel() / 7);
            for (std::int64_t n = 0; n < values.numel(); n += stride) {
                const double middle = values[n].item<double>(), h = 1e-6;
                values[n] = middle + h;
                const double above = loss().item<double>();
                values[n] = middle - h;
                const double below = loss().item<double>();
                values[n] = middle;
                const double expected = (above - below) / (2 * h), got = grad[n].item<double>();
                CHECK(std::abs(got - expected) <= 1e-7 + 1e-5 * std::abs(expected));
            }
        }
    }
}

}  // namespace lw
