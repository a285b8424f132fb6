#include "tests/support/catch_torch.h"

#include "core/model/transformer.h"
#include "core/training/estimate.h"
#include "core/training/parameter_groups.h"

#include <set>

using namespace lw;

namespace {

Recipe resolved(const std::string& scheme) {
    Recipe recipe;
    recipe.scheme = find_scheme(scheme).value();
    recipe.model.layers = 2;
    recipe.model.vocabulary = 50;
    recipe.training.length = 16;
    return check_recipe(recipe).value();
}

std::shared_ptr<Transformer> model_of(const Recipe& recipe) {
    return std::make_shared<Transformer>(recipe.model, recipe.scheme, recipe.training.length, recipe.seed);
}

bool ends_with(const std::string& text, const std::string& end) { return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0; }

}  // namespace

TEST_CASE("decay spares biases and norms and hits matrices and positional parameters", "[training]") {
    for (const char* scheme : {"dape-kerple", "dape-fire", "t5", "learned"}) {
        const auto model = model_of(resolved(scheme));
        std::size_t positional = 0;
        for (const NamedParameter& parameter : trainable_parameters(*model)) {
            INFO(scheme << ": " << parameter.name);
            const bool is_norm = parameter.name.find("norm") != std::string::npos;
            const bool is_bias = ends_with(parameter.name, ".bias");
            CHECK(parameter.decays == !(is_norm || is_bias));
            if (parameter.name.rfind("scheme.", 0) == 0 && parameter.decays) ++positional;
        }
        CHECK(positional > 0);
    }
}

TEST_CASE("every parameter is trained once", "[training]") {
    for (const char* scheme : {"t5", "dape-kerple", "rope", "nope"}) {
        const auto model = model_of(resolved(scheme));
        std::set<const void*> seen;
        std::int64_t count = 0;
        for (const NamedParameter& parameter : trainable_parameters(*model)) {
            CHECK(seen.insert(parameter.value.const_data_ptr()).second);
            count += parameter.value.numel();
        }
        CHECK(count == model->parameter_count());
    }
}

TEST_CASE("parameters are counted without building the model", "[training]") {
    for (const SchemePreset& preset : scheme_presets()) {
        INFO(preset.id);
        Recipe recipe = resolved(preset.id);
        CHECK(count_parameters(recipe) == model_of(recipe)->parameter_count());
    }
    for (int variant = 0; variant < 6; ++variant) {
        INFO(variant);
        Recipe recipe = resolved("rope");
        recipe.model.tied_embedding = variant == 0;
        recipe.model.norm = variant == 1 ? "rmsnorm" : "layernorm";
        if (variant == 2) recipe.model.kv_heads = 2;
        if (variant == 3) recipe.model.activation = "swiglu";
        recipe.model.attention_bias = recipe.model.output_bias = recipe.model.norm_bias = variant != 4;
        recipe.model.embedding_norm = variant == 5;
        CHECK(count_parameters(recipe) == model_of(recipe)->parameter_count());
    }
}

TEST_CASE("the estimate grows with the batch and proposes one that fits", "[training]") {
    Recipe recipe = resolved("dape-kerple");
    const TrainingCost cost = training_cost(recipe, false);
    recipe.training.batch *= 2;
    CHECK(training_cost(recipe, false).bytes > cost.bytes);
    const SmallerBatch smaller = fitting_batch(recipe, false, cost.bytes);
    CHECK(smaller.batch == recipe.training.batch / 2);
    CHECK(smaller.accumulation == 2);
    CHECK(smaller.bytes <= cost.bytes);
    CHECK(fitting_batch(recipe, false, 1000).batch == 0);
}
