#pragma once
/// A tiny corpus, a tiny model and a workspace that live as long as a test.

#include "core/api/runs.h"
#include "core/storage/atomic_file.h"
#include "tests/core/storage/temporary_folder.h"

#include <cstdlib>

namespace lw {

/// An environment variable for the time of a test.
class ScopedVariable {
public:
    ScopedVariable(const char* name, const std::string& value) : name_(name) {
        if (const char* before = std::getenv(name)) before_ = before;
        ::setenv(name, value.c_str(), 1);
    }
    ScopedVariable(const ScopedVariable&) = delete;
    ScopedVariable& operator=(const ScopedVariable&) = delete;
    ~ScopedVariable() {
        if (before_.empty()) ::unsetenv(name_);
        else ::setenv(name_, before_.c_str(), 1);
    }

private:
    const char* name_;
    std::string before_;
};

/// A context that stops training once so many steps are done.
class StopAt {
public:
    explicit StopAt(double steps) {
        context_.stop = source_.get_token();
        context_.progress = [this, steps](const Progress& progress) {
            if (progress.stage == "Training" && progress.done >= steps) source_.request_stop();
        };
    }
    StopAt(const StopAt&) = delete;
    StopAt& operator=(const StopAt&) = delete;
    [[nodiscard]] const RunContext& context() const { return context_; }

private:
    std::stop_source source_;
    RunContext context_;
};

/// Documents of a few kilobytes in which a sentence repeats with changing words: easy to learn, not constant.
inline void write_tiny_corpus(const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder);
    const char* colours[] = {"red", "green", "blue", "white", "black"};
    const char* things[] = {"boat", "house", "tree", "stone", "lamp", "river", "cloud"};
    for (int document = 0; document < 12; ++document) {
        std::string text;
        for (int line = 0; line < 160; ++line) {
            text += std::string("The ") + colours[(line * 3 + document) % 5] + " " + things[(line * 5 + document) % 7] + " stands by the water.\n";
        }
        write_file(folder / ("document-" + std::to_string(document) + ".txt"), text);
    }
}

/// Everything a test of training needs, in one temporary folder.
struct TinyLaboratory {
    TemporaryFolder folder;
    std::filesystem::path corpus = folder / "corpus";
    std::filesystem::path workspace = folder / "workspace";
    ScopedVariable data{"LENGTHWISE_DATA", (folder / "data").string()};  ///< token caches do not leave the test

    TinyLaboratory() { write_tiny_corpus(corpus); }

    /// Two layers, four heads, width 16, L = 32, bytes as tokens.
    [[nodiscard]] Recipe recipe(const std::string& scheme = "alibi") const {
        Recipe made;
        made.scheme = find_scheme(scheme).value();
        made.model.layers = 2;
        made.model.heads = 4;
        made.model.width = 16;
        made.data.source = corpus.string();
        made.data.tokenizer = "byte";
        made.training.length = 32;
        made.training.batch = 4;
        made.training.steps = 6;
        made.training.peak_rate = 1e-2;
        made.training.checkpoint_every = 3;
        made.training.validate_every = 2;
        made.training.validation_batches = 2;
        made.training.keep_checkpoints = 0;
        return made;
    }

    /// A run of three steps in the workspace: trained, and hardly any wiser.
    [[nodiscard]] RunInfo trained(const std::string& scheme = "alibi", std::uint64_t seed = 1) const {
        Recipe made = recipe(scheme);
        made.seed = seed;
        made.training.steps = 3;
        return train(made, workspace).value();
    }
};

/// An evaluation of such a run at two lengths that takes no time.
inline EvaluationSpec short_spec(const std::string& protocol = "last-k") {
    EvaluationSpec spec;
    spec.protocol = protocol;
    spec.lengths = {32, 128};
    spec.documents = 6;
    spec.bootstrap = 100;
    return spec;
}

}  // namespace lw
