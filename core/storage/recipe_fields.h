#pragma once
/// The one table of a recipe's fields: name in the file, place in the struct, bounds. Reading, writing and checking all walk it,
/// so that a field cannot be read but not written, or written but not checked.

#include "core/api/recipe.h"

#include <initializer_list>
#include <limits>

namespace lw {

/// Inclusive bounds of a number.
struct Bounds {
    double low = 0;
    double high = std::numeric_limits<double>::infinity();
    bool low_open = false;  ///< `low` itself is not allowed
};

using Words = std::initializer_list<const char*>;

// A visitor has number(name, int64 or double &, Bounds), flag(name, bool &), word(name, string &, Words) and text(name, string &).

template <class Visitor>
void visit_fields(ModelSpec& model, Visitor& v) {
    v.number("layers", model.layers, {1, 256});
    v.number("heads", model.heads, {1, 256});
    v.number("kv_heads", model.kv_heads, {0, 256});
    v.number("width", model.width, {1, 65536});
    v.number("head_width", model.head_width, {0, 4096});
    v.number("ffn_width", model.ffn_width, {0, 262144});
    v.number("vocabulary", model.vocabulary, {0, 1048576});
    v.word("norm", model.norm, {"layernorm", "rmsnorm"});
    v.number("norm_eps", model.norm_eps, {0, 1, true});
    v.word("activation", model.activation, {"gelu", "gelu-tanh", "swiglu"});
    v.flag("attention_bias", model.attention_bias);
    v.flag("output_bias", model.output_bias);
    v.flag("norm_bias", model.norm_bias);
    v.flag("tied_embedding", model.tied_embedding);
    v.flag("parallel_residual", model.parallel_residual);
    v.flag("embedding_norm", model.embedding_norm);
    v.word("initialisation", model.initialisation, {"dape", "gpt2"});
}

template <class Visitor>
void visit_fields(DataSpec& data, Visitor& v) {
    v.text("source", data.source);
    v.word("tokenizer", data.tokenizer, {"byte", "bpe"});
    v.number("vocabulary", data.vocabulary, {16, 262144});
}

template <class Visitor>
void visit_fields(TrainingSpec& training, Visitor& v) {
    v.number("length", training.length, {2, 1048576});
    v.number("batch", training.batch, {1, 65536});
    v.number("accumulation", training.accumulation, {1, 65536});
    v.number("steps", training.steps, {1, 100000000});
    v.number("peak_rate", training.peak_rate, {0, 10, true});
    v.number("final_rate_fraction", training.final_rate_fraction, {0, 1});
    v.number("warmup_fraction", training.warmup_fraction, {0, 1});
    v.number("beta1", training.beta1, {0, 0.99999});
    v.number("beta2", training.beta2, {0, 0.999999});
    v.number("epsilon", training.epsilon, {0, 1, true});
    v.number("weight_decay", training.weight_decay, {0, 10});
    v.number("clip", training.clip, {0, 1000000});
    v.word("precision", training.precision, {"fp32", "bf16"});
    v.number("checkpoint_every", training.checkpoint_every, {1, 100000000});
    v.number("validate_every", training.validate_every, {1, 100000000});
    v.number("validation_batches", training.validation_batches, {1, 100000});
    v.number("keep_checkpoints", training.keep_checkpoints, {0, 1000000});
}

template <class Visitor>
void visit_fields(StartSpec& start, Visitor& v) {
    v.text("recipe", start.recipe);
    v.number("step", start.step, {-1, 100000000});
    v.number("length", start.length, {2, 1048576});
}

template <class Visitor>
void visit_fields(EvaluationSpec& evaluation, Visitor& v) {
    v.word("protocol", evaluation.protocol, {"last-k", "dape-paper", "non-overlapping", "sliding"});
    v.number("scored", evaluation.scored, {0, 1048576});
    v.number("stride", evaluation.stride, {0, 1048576});
    v.number("documents", evaluation.documents, {1, 1000000});
    v.word("split", evaluation.split, {"train", "validation", "test"});
    v.number("bootstrap", evaluation.bootstrap, {0, 1000000});
    v.number("level", evaluation.level, {0.5, 0.9999});
}

}  // namespace lw
