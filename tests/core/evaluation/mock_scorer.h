#pragma once
/// Sources of token losses that need no model, over documents whose tokens are numbered 0, 1, 2, ...

#include "core/evaluation/evaluator.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>
#include <stdexcept>
#include <utility>

namespace lw::test {

/// nll(t, c) = a + b / (1 + c) + e * ((7 t) mod 5), the mock of the golden numbers: both context and token matter.
struct MockLoss {
    double a = 2.0, b = 1.5, e = 0.1;
    double operator()(std::int64_t token, std::int64_t context) const {
        return a + b / static_cast<double>(1 + context) + e * static_cast<double>((7 * token) % 5);
    }
};

using Loss = std::function<double(std::int64_t token, std::int64_t context)>;

class MockScorer : public TokenScorer {
public:
    explicit MockScorer(Loss loss, std::int64_t bound = 1 << 20) : loss_(std::move(loss)), bound_(bound) {}

    std::vector<std::vector<double>> score(const std::vector<TokenSpan>& windows, std::int64_t rows) override {
        ++calls;
        std::vector<std::vector<double>> result;
        for (const TokenSpan& window : windows) {
            const auto size = static_cast<std::int64_t>(window.size());
            if (size != static_cast<std::int64_t>(windows.front().size())) throw std::logic_error("windows of different sizes in one call");
            if (size > bound_) throw Failure(ErrorKind::invalid_argument, "the table ends");
            std::vector<double> losses;
            for (std::int64_t place = size - rows; place < size; ++place) losses.push_back(loss_(window[static_cast<std::size_t>(place)], place));
            result.push_back(std::move(losses));
        }
        largest_call = std::max(largest_call, static_cast<std::int64_t>(windows.size() * windows.front().size()));
        return result;
    }
    [[nodiscard]] std::int64_t tokens_per_call() const override { return 256; }
    [[nodiscard]] bool can_score_all(std::int64_t) const override { return positions; }

    bool positions = false;  ///< keep to the scored rows, so that tests see which ones are asked for
    std::int64_t calls = 0;
    std::int64_t largest_call = 0;

private:
    Loss loss_;
    std::int64_t bound_;
};

/// Documents of the given lengths; owns the tokens.
struct NumberedDocuments {
    explicit NumberedDocuments(const std::vector<std::int64_t>& lengths) {
        for (const std::int64_t length : lengths) {
            tokens.emplace_back(static_cast<std::size_t>(length));
            std::iota(tokens.back().begin(), tokens.back().end(), 0);
        }
        for (std::size_t n = 0; n < tokens.size(); ++n) documents.push_back({"doc/" + std::to_string(n), tokens[n]});
    }
    std::vector<std::vector<std::int32_t>> tokens;
    std::vector<EvaluatedDocument> documents;
};

/// An evaluation with few draws of the bootstrap; L is the first length.
inline EvaluationJob job_for(const std::vector<EvaluatedDocument>& documents, const std::string& protocol, const std::vector<std::int64_t>& lengths) {
    EvaluationJob job;
    job.documents = documents;
    job.head.protocol.protocol = protocol;
    job.head.protocol.lengths = lengths;
    job.head.protocol.bootstrap = 100;
    job.head.seed = 1;
    job.train_length = lengths.empty() ? 16 : lengths.front();
    return job;
}
inline EvaluationJob job_for(const NumberedDocuments& text, const std::string& protocol, const std::vector<std::int64_t>& lengths) {
    return job_for(text.documents, protocol, lengths);
}

}  // namespace lw::test
