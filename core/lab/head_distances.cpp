/// The verb head_distances: how differently heads attend, as Jensen–Shannon divergence of their rows.
///
///   JS(p, q) = H((p + q) / 2) − (H(p) + H(q)) / 2, nats; rows are divided by their sum first, as some normalisers' do not sum to 1.
///
/// Clark, Khandelwal, Levy, Manning 2019, "What Does BERT Look At?", section 6, compares heads so.
#include "core/attention/poll.h"
#include "core/lab/guard.h"
#include "core/lab/head_reading.h"
#include "core/lab/measure_texts.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>

namespace lw {

namespace {

/// Rows of every head of every layer, [n, r, c] double, each summing to 1 or 0.
at::Tensor all_rows(const ModelMapSession& session, Span rows) {
    std::vector<at::Tensor> layers;
    for (std::int64_t layer = 0; layer < session.info().layers; ++layer) layers.push_back(attention_weights(session.scores(layer), rows));
    const auto weights = at::cat(layers);  // [n, r, c]
    return weights / weights.sum(-1, true).clamp_min(1e-300);
}

at::Tensor entropies(const at::Tensor& p) { return at::xlogy(p, p).sum(-1).neg(); }  // [n, r]

/// Σ over the rows of every pair's divergence, [n, n].
at::Tensor divergence_sums(const at::Tensor& p) {
    const auto own = entropies(p);  // [n, r]
    std::vector<at::Tensor> sums;
    for (std::int64_t head = 0; head < p.size(0); ++head) {
        poll();
        const auto mixed = entropies((p + p[head]) / 2);                               // [n, r]
        sums.push_back((mixed - (own + own[head]) / 2).clamp_min(0).sum(-1));          // [n]
    }
    return at::stack(sums);
}

/// Rows of a block: those of all layers are in memory at once.
std::int64_t block_of(const ModelMapSession& session) {
    return std::max<std::int64_t>(1, rows_of_a_block(session.scores(0)) / session.info().layers);
}

at::Tensor text_sums(const ModelMapSession& session, Span rows) {
    at::Tensor sums;
    const auto block = block_of(session);
    for (auto begin = rows.begin; begin < rows.end; begin += block) {
        const auto more = divergence_sums(all_rows(session, {begin, std::min(begin + block, rows.end)}));
        sums = sums.defined() ? sums + more : more;
    }
    return sums;
}

void describe(HeadDistances& result, const MapsInfo& info) {
    result.run_title = info.run_title;
    result.step = info.step;
    result.length = info.length;
    for (std::int64_t layer = 0; layer < info.layers; ++layer) {
        for (std::int64_t head = 0; head < info.heads; ++head) result.heads.push_back({layer, head});
    }
}

HeadDistances measure_distances(const AtlasRequest& request, const RunContext& context) {
    const auto length = checked_lengths(request).back();
    const auto loaded = load_model(request.run, request.steps.empty() ? -1 : request.steps.front(), context.device);
    const auto texts = LengthTexts(request, loaded.run.recipe.data.source, length, context).of(length);
    HeadDistances result;
    at::Tensor sums;
    for (const auto& text : texts) {
        if (context.stopping()) throw Failure(ErrorKind::cancelled, "Comparing heads was cancelled.");
        const auto session = read_heads(loaded, text, context);
        if (result.heads.empty()) describe(result, session.info());
        const auto rows = last_rows(session.info().length, request.queries);
        const auto more = text_sums(session, rows) / static_cast<double>(rows.size());
        sums = sums.defined() ? sums + more : more;
        result.queries = rows.size();
        Progress progress;
        progress.stage = "Comparing heads";
        progress.done = static_cast<double>(++result.texts);
        progress.total = static_cast<double>(texts.size());
        progress.unit = "texts";
        context.report(progress);
        if (context.serve) context.serve();
    }
    const auto mean = (sums / static_cast<double>(result.texts)).to(at::kCPU).contiguous();  // [n, n]
    result.divergence.assign(mean.const_data_ptr<double>(), mean.const_data_ptr<double>() + mean.numel());
    return result;
}

}  // namespace

Result<HeadDistances> head_distances(const AtlasRequest& request, const RunContext& context) {
    return guarded<HeadDistances>([&] {
        const at::NoGradGuard no_gradient;
        const PollScope polling(context);
        return measure_distances(request, context);
    });
}

std::vector<SimilarTo> most_similar(const HeadDistances& distances, HeadPlace head, std::size_t most) {
    const auto same = [&](const HeadPlace& other) { return other.layer == head.layer && other.head == head.head; };
    const auto found = std::find_if(distances.heads.begin(), distances.heads.end(), same);
    if (found == distances.heads.end()) return {};
    const auto row = static_cast<std::size_t>(found - distances.heads.begin()) * distances.heads.size();
    std::vector<SimilarTo> similar;
    for (std::size_t n = 0; n < distances.heads.size(); ++n) {
        if (!same(distances.heads[n])) similar.push_back({distances.heads[n], distances.divergence[row + n]});
    }
    std::stable_sort(similar.begin(), similar.end(), [](const SimilarTo& a, const SimilarTo& b) { return a.divergence < b.divergence; });
    similar.resize(std::min(most, similar.size()));
    return similar;
}

}  // namespace lw
