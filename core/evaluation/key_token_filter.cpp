#include "core/evaluation/key_token_filter.h"

#include "core/evaluation/key_tokens.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw {
namespace {

std::vector<double> negated(const std::vector<double>& losses) {
    std::vector<double> out;
    for (const double loss : losses) out.push_back(-loss);
    return out;
}

}  // namespace

/// Windows of K + stride tokens, the last `stride` of which are candidates: K tokens stand before the first of them, as in the authors'
/// find_key_token() (package longppl, 0.3.0). The last window of a place may have fewer candidates and is then as much shorter.
std::vector<double> KeyTokenFilter::short_losses(const Window& window, TokenSpan document, const EvaluationPlan& plan) {
    TokenScorer& scorer = evaluator_ != nullptr ? *evaluator_ : measured_;
    const auto at_once = static_cast<std::size_t>(std::max<std::int64_t>(scorer.tokens_per_call() / (plan.short_context + plan.stride), 1));
    std::vector<double> losses;
    std::vector<TokenSpan> windows;  // of one size, as one call takes them
    const auto flush = [&] {
        if (windows.empty()) return;
        const auto candidates = static_cast<std::int64_t>(windows.front().size()) - plan.short_context;
        for (const std::vector<double>& got : scorer.score(windows, candidates)) losses.insert(losses.end(), got.begin(), got.end());
        windows.clear();
    };
    for (std::int64_t token = window.scored_begin; token < window.end; token += plan.stride) {
        const std::int64_t size = plan.short_context + std::min(plan.stride, window.end - token);
        const TokenSpan next = document.subspan(static_cast<std::size_t>(token - plan.short_context), static_cast<std::size_t>(size));
        if (windows.size() == at_once || (!windows.empty() && windows.front().size() != next.size())) flush();
        windows.push_back(next);
    }
    flush();
    return losses;
}

bool KeyTokenFilter::prepare(const EvaluationPlan& plan, const std::vector<EvaluatedDocument>& documents, const RunContext& context) {
    const LengthPlan& shortest = plan.lengths.front();
    short_.assign(shortest.places.size(), {});
    Progress progress;
    progress.stage = fmt::format("Reading with {} of context", counted(plan.short_context, "token"));
    progress.total = static_cast<double>(shortest.windows.size());
    progress.unit = "places";
    try {
        for (const Window& window : shortest.windows) {
            context.report(progress);
            if (context.stopping()) return false;
            short_[window.place] = short_losses(window, documents[window.document].tokens, plan);
            ++progress.done;
            if (context.serve) context.serve();
        }
    } catch (const Failure& failure) {
        if (failure.kind() != ErrorKind::cancelled) throw;
        return false;
    }
    return true;
}

std::vector<std::vector<bool>> KeyTokenFilter::keep(const std::vector<Window>& batch, const std::vector<TokenSpan>& tokens,
                                                    const std::vector<std::vector<double>>& losses) {
    std::vector<std::vector<bool>> keys;
    const auto rows = static_cast<std::int64_t>(losses.front().size());
    std::vector<std::vector<double>> others;
    if (evaluator_ != nullptr) others = evaluator_->score(tokens, rows);
    const std::vector<std::vector<double>>& with_long = evaluator_ != nullptr ? others : losses;
    for (std::size_t n = 0; n < batch.size(); ++n) {
        const std::vector<double> long_losses(with_long[n].end() - batch[n].scored(), with_long[n].end());
        keys.push_back(key_tokens(negated(long_losses), negated(short_[batch[n].place]), {keys_.gain, keys_.probability}).key);
    }
    return keys;
}

std::string KeyTokenFilter::none_words(std::int64_t candidates) const {
    return fmt::format("none of {} is a key token: the long context helps none by more than {:g} nats to more than ln P = {:g}",
                       counted(candidates, "token"), keys_.gain, keys_.probability);
}

std::string key_words(const Evaluation& head) {
    if (!head.keys) return "";
    const KeyTokenSpec& keys = head.protocol.keys;
    const KeyTokenSpec usual{};
    std::string words = fmt::format(", marked by {} at step {}", head.keys->run, with_commas(head.keys->step));
    if (keys.gain != usual.gain) words += fmt::format(", gain above {:g} nats", keys.gain);
    if (keys.probability != usual.probability) words += fmt::format(", ln P above {:g}", keys.probability);
    return words;
}

bool same_keys(const Evaluation& a, const Evaluation& b) {
    if (!a.keys || !b.keys) return !a.keys && !b.keys;
    const KeyTokenSpec &x = a.protocol.keys, &y = b.protocol.keys;
    return a.keys->recipe_hash == b.keys->recipe_hash && a.keys->step == b.keys->step && x.short_context == y.short_context && x.gain == y.gain &&
           x.probability == y.probability && a.protocol.stride == b.protocol.stride;
}

}  // namespace lw
