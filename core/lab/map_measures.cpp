/// Locality of heads (encodings 5.2) from the rows of one or several map sessions.
#include "core/evaluation/locality.h"
#include "core/lab/map_session.h"

#include <algorithm>

namespace lw {

namespace {

double mean_square_root(const std::vector<float>& values) {
    return root_mean_square(std::vector<double>(values.begin(), values.end()));
}

/// Terms of a row that the measure looks at, by distance: index 0 is the query itself. Of an encoder's row the keys up to the query.
std::vector<double> by_distance(const RowProfile& row, ScorePart of, bool adds_bias) {
    std::vector<double> values(static_cast<std::size_t>(row.query + 1), 0.0);
    const auto add = [&](const std::vector<float>& term) {
        for (std::size_t j = 0; j < std::min(term.size(), values.size()); ++j) values[values.size() - 1 - j] += static_cast<double>(term[j]);
    };
    if (of == ScorePart::content) add(row.content);
    if (of == ScorePart::logit) add(row.logit);
    if (of == ScorePart::probability) add(row.probability);
    if (of == ScorePart::bias || (of == ScorePart::bias_adaptive && adds_bias)) add(row.bias);
    if (of == ScorePart::adaptive || of == ScorePart::bias_adaptive) add(row.adaptive);
    return values;
}

void average_in(double& mean, double value, std::size_t count) { mean += value / static_cast<double>(count); }

HeadMeasures measure_head(const std::vector<HeadRows>& sequences, std::int64_t layer, std::size_t head, std::int64_t train_length,
                          const MeasureRequest& request) {
    HeadMeasures measures;
    measures.layer = layer;
    measures.head = static_cast<std::int64_t>(head);
    measures.of = request.of;
    measures.texts = static_cast<std::int64_t>(sequences.size());
    std::vector<std::vector<double>> curves;
    const auto count = sequences.size();
    for (const auto& sequence : sequences) {
        curves.push_back(sequence.measured[head]);
        const auto& row = sequence.rows[head];
        const std::vector<double> probability(row.probability.begin(), row.probability.end());
        average_in(measures.rms_content, mean_square_root(row.content), count);
        average_in(measures.rms_bias, mean_square_root(row.bias), count);
        average_in(measures.rms_adaptive, mean_square_root(row.adaptive), count);
        average_in(measures.entropy, entropy(probability), count);
        average_in(measures.beyond_training, mass_beyond(probability, train_length), count);
        average_in(measures.first_key, probability.front(), count);
    }
    const auto locality = measure_locality(curves, {request.rank_threshold, request.contrast_threshold});
    measures.contrast = locality.contrast;
    measures.rank = locality.rank;
    measures.locality = locality.locality;
    measures.adaptivity = locality.adaptivity;
    measures.head_class = locality.head_class;
    return measures;
}

/// The default measures bias + adaptive; a scheme with neither (RoPE, NoPE) is measured on its content scores.
ScorePart measured_part(const MapsInfo& info, ScorePart asked) {
    const auto has = [&](ScorePart part) { return std::find(info.parts.begin(), info.parts.end(), part) != info.parts.end(); };
    if (asked == ScorePart::bias_adaptive) return has(ScorePart::bias) || has(ScorePart::adaptive) ? asked : ScorePart::content;
    if (!has(asked)) {
        throw Failure(ErrorKind::invalid_argument, std::string("This scheme has no ") + score_part_name(asked) + " term to measure.");
    }
    return asked;
}

}  // namespace

HeadRows ModelMapSession::head_rows(std::int64_t layer, std::int64_t query, ScorePart of) const {
    HeadRows result;
    result.rows = row_profiles(layer, query);
    const auto& adaptive = model_->scheme()->layer(layer).adaptive;
    for (const auto& row : result.rows) result.measured.push_back(by_distance(row, of, !adaptive || adaptive->adds_bias()));
    return result;
}

std::vector<HeadMeasures> measure_sessions(const std::vector<std::shared_ptr<ModelMapSession>>& sessions, const MeasureRequest& request,
                                           const RunContext& context) {
    if (sessions.empty()) throw Failure(ErrorKind::invalid_argument, "There is no text to measure heads on.");
    const auto& info = sessions.front()->info();
    const auto query = sessions.front()->resolve_query(request.query);
    MeasureRequest measured = request;
    measured.of = measured_part(info, request.of);
    std::vector<HeadMeasures> all;
    for (std::int64_t layer = 0; layer < info.layers; ++layer) {
        if (context.stopping()) throw Failure(ErrorKind::cancelled, "Measuring heads was cancelled.");
        std::vector<HeadRows> sequences;
        for (const auto& session : sessions) sequences.push_back(session->head_rows(layer, query, measured.of));
        for (std::int64_t head = 0; head < info.heads; ++head) {
            all.push_back(measure_head(sequences, layer, static_cast<std::size_t>(head), info.train_length, measured));
        }
        Progress progress;
        progress.stage = "Measuring heads";
        progress.done = static_cast<double>(layer + 1);
        progress.total = static_cast<double>(info.layers);
        progress.unit = "layers";
        context.report(progress);
    }
    return all;
}

}  // namespace lw
