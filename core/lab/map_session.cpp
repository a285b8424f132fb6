#include "core/lab/map_session.h"

#include "core/lab/guard.h"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace lw {

namespace {

std::vector<float> floats(const at::Tensor& x) {
    const auto flat = x.to(at::kCPU, at::kFloat).contiguous();
    return {flat.const_data_ptr<float>(), flat.const_data_ptr<float>() + flat.numel()};
}

/// The parts a scheme really has, in the order people read them.
std::vector<ScorePart> parts_of(const LayerScheme& layer) {
    std::vector<ScorePart> parts{ScorePart::content};
    if (layer.bias) parts.push_back(ScorePart::bias);
    if (layer.adaptive) parts.push_back(ScorePart::adaptive);
    if (layer.bias && layer.adaptive) parts.push_back(ScorePart::bias_adaptive);
    parts.push_back(ScorePart::logit);
    parts.push_back(ScorePart::probability);
    return parts;
}

/// With the minus sign of print, as the formulas have it.
std::string number(double value) { return value < 0 ? fmt::format("−{:.2f}", -value) : fmt::format("{:.2f}", value); }

std::string in_brackets(double value) { return value < 0 ? fmt::format("({})", number(value)) : number(value); }

void check_range(const CellRange& range, std::int64_t length, const char* what) {
    if (range.begin < 0 || range.end > length || range.begin >= range.end) {
        throw Failure(ErrorKind::invalid_argument,
                      fmt::format("The {} {} to {} do not lie within the text's {} tokens.", what, range.begin, range.end, length));
    }
}

}  // namespace

ModelMapSession::ModelMapSession(const LoadedModel& loaded, TokenText text, std::int64_t tile_bytes)
    : model_(loaded.model), tiles_(tile_bytes < 0 ? default_tile_bytes() : tile_bytes) {
    const at::NoGradGuard no_gradient;
    const auto length = static_cast<std::int64_t>(text.ids.size());
    const auto device = model_->parameters().front().device();
    const auto tokens = at::tensor(text.ids, at::kLong).unsqueeze(0).to(device);  // [1, T]
    ForwardOptions options;
    options.capture = &captured_;
    options.last_rows = 1;  // no logits of the other rows are needed
    (void)model_->forward(tokens, options);
    info_.run_title = loaded.run.title;
    info_.layers = model_->spec().layers;
    info_.heads = model_->spec().heads;
    info_.length = length;
    info_.train_length = model_->scheme()->train_length();
    info_.step = loaded.step;
    info_.parts = parts_of(model_->scheme()->layer(0));
    info_.causal = !sees_future(model_->scheme()->layer(0));
    info_.attention_note = model_->attention_note(1, length, false);
    info_.text = std::move(text);
    note_traits();
}

void ModelMapSession::note_traits() {
    readers_.resize(captured_.size());
    reader_made_.resize(captured_.size());
    for (std::int64_t layer = 0; layer < info_.layers; ++layer) {
        const auto& scheme = model_->scheme()->layer(layer);
        const auto& kept = captured_.at(static_cast<std::size_t>(layer));
        const auto layer_scores = scores_of(scheme, kept.inputs, kept.log_normaliser);
        traits_.push_back({.causal = !sees_future(scheme), .whole_rows = needs_whole_rows(layer_scores, ScorePart::logit),
                           .whole_rows_for_weights = needs_whole_rows(layer_scores, ScorePart::probability)});
    }
}

LayerScores ModelMapSession::scores(std::int64_t layer) const {
    const auto place = static_cast<std::size_t>(layer);
    const auto& kept = captured_.at(place);
    auto result = scores_of(model_->scheme()->layer(layer), kept.inputs, kept.log_normaliser);
    if (!reader_made_[place]) readers_[place] = TileReader::of(result.layer, result.inputs, result.log_normaliser);
    reader_made_[place] = 1;
    result.reader = readers_[place];
    return result;
}

void ModelMapSession::check_head(std::int64_t layer, std::int64_t head) const {
    if (layer < 0 || layer >= info_.layers) {
        throw Failure(ErrorKind::invalid_argument, fmt::format("There is no layer {}: the model has layers 0 to {}.", layer, info_.layers - 1));
    }
    if (head < -1 || head >= info_.heads) {
        throw Failure(ErrorKind::invalid_argument, fmt::format("There is no layer {} head {}: the model has layers 0 to {} and heads 0 to {}.", layer, head,
                                                               info_.layers - 1, info_.heads - 1));
    }
}

/// A part that is absent would be a map of zeros. bias+adaptive is there where one of the two is.
void ModelMapSession::check_part(ScorePart part) const {
    const auto has = [&](ScorePart wanted) { return std::find(info_.parts.begin(), info_.parts.end(), wanted) != info_.parts.end(); };
    if (has(part) || (part == ScorePart::bias_adaptive && (has(ScorePart::bias) || has(ScorePart::adaptive)))) return;
    std::vector<std::string> names;
    for (const ScorePart there : info_.parts) names.emplace_back(score_part_name(there));
    throw Failure(ErrorKind::invalid_argument,
                  fmt::format("The scores of {} have no part \"{}\": they have {}.", info_.run_title, score_part_name(part), fmt::join(names, ", ")));
}

void ModelMapSession::check(const TileRequest& request) const {
    check_head(request.layer, request.head);
    check_part(request.part);
    check_range(request.queries, info_.length, "queries");
    check_range(request.keys, info_.length, "keys");
    if (request.max_rows < 1 || request.max_columns < 1) throw Failure(ErrorKind::invalid_argument, "A tile needs at least one row and one column.");
}

std::int64_t ModelMapSession::resolve_query(std::int64_t query) const {
    const auto resolved = query < 0 ? info_.length - 1 : query;
    check_range({resolved, resolved + 1}, info_.length, "queries");
    return resolved;
}

Result<std::vector<MapTile>> ModelMapSession::tiles(const TileRequest& request, const RunContext& context) {
    return guarded<std::vector<MapTile>>([&] {
        const at::NoGradGuard no_gradient;
        check(request);
        const auto pixels = part_tile(scores(request.layer), request, [&] {
            if (context.stopping()) throw Failure(ErrorKind::cancelled, "The map was cancelled.");
        }, context.stop);  // [H, rows, columns], or the one head that was asked for
        std::vector<MapTile> tiles;
        for (std::int64_t head = 0; head < info_.heads; ++head) {
            if (request.head >= 0 && request.head != head) continue;
            MapTile tile{.layer = request.layer, .head = head, .part = request.part, .queries = request.queries, .keys = request.keys,
                         .rows = pixels.size(1), .columns = pixels.size(2), .values = floats(pixels[pixels.size(0) == 1 ? 0 : head]), .reducer = request.reducer,
                         .sampled = request.sampled};
            tile.cells_per_row = static_cast<double>(cells_per_pixel(request.queries.size(), request.max_rows));
            tile.cells_per_column = static_cast<double>(cells_per_pixel(request.keys.size(), request.max_columns));
            tile.sampled = request.sampled && (tile.cells_per_row > 1 || tile.cells_per_column > 1);
            if (tile.sampled) tile.exact_share = 0;
            tiles.push_back(std::move(tile));
        }
        return tiles;
    });
}

std::vector<RowProfile> ModelMapSession::row_profiles(std::int64_t layer, std::int64_t query) const {
    const at::NoGradGuard no_gradient;
    const auto layer_scores = scores(layer);
    const Span own{query, query + 1}, keys{0, info_.causal ? query + 1 : info_.length};
    const auto parts = score_parts(layer_scores.layer, layer_scores.inputs, own, keys);
    const auto logit = parts.logit()[0].select(1, 0);                                                           // [H, keys]
    const auto probability = part_values(layer_scores, ScorePart::probability, own, keys).select(1, 0).nan_to_num(0.0);  // [H, keys]
    std::vector<RowProfile> rows;
    for (std::int64_t head = 0; head < info_.heads; ++head) {
        RowProfile row{.layer = layer, .head = head, .query = query, .content = floats(parts.content[0][head][0]), .bias = {}, .adaptive = {},
                       .logit = floats(logit[head]), .probability = floats(probability[head])};
        if (parts.bias.defined()) row.bias = floats(parts.bias_of(0)[head][0]);
        if (parts.adaptive.defined()) row.adaptive = floats(parts.adaptive[0][head][0]);
        rows.push_back(std::move(row));
    }
    return rows;
}

Result<std::vector<RowProfile>> ModelMapSession::rows(std::int64_t layer, std::int64_t query) {
    return guarded<std::vector<RowProfile>>([&] {
        check_head(layer, -1);
        return row_profiles(layer, resolve_query(query));
    });
}

CellArithmetic ModelMapSession::cell_arithmetic(std::int64_t layer, std::int64_t head, std::int64_t query, std::int64_t key) const {
    const at::NoGradGuard no_gradient;
    const auto layer_scores = scores(layer);
    const auto parts = score_parts(layer_scores.layer, layer_scores.inputs, {query, query + 1}, {key, key + 1});
    CellArithmetic cell{.query = query, .key = key, .query_piece = info_.text.pieces.at(static_cast<std::size_t>(query)),
                        .key_piece = info_.text.pieces.at(static_cast<std::size_t>(key)), .bias_is_added = parts.adds_bias, .visible = true,
                        .sentence = {}};
    std::string sum;
    const auto term = [&](const char* name, const at::Tensor& x) {
        const auto value = x.item<double>();
        sum += fmt::format("{}{} {}", sum.empty() ? "" : " + ", name, in_brackets(value));
        return value;
    };
    cell.content = term("content", parts.content[0][head]);
    if (parts.bias.defined()) cell.bias = parts.adds_bias ? term("bias", parts.bias_of(0)[head]) : parts.bias_of(0)[head].item<double>();
    if (parts.adaptive.defined()) cell.adaptive = term("adaptive", parts.adaptive[0][head]);
    cell.logit = parts.logit()[0][head].item<double>();
    cell.visible = parts.visible.item<bool>();
    if (!cell.visible) {
        cell.sentence = key > query ? "masked: the key lies after the query" : "masked: the scheme hides this key from the query";
        return cell;
    }
    cell.probability = part_values(layer_scores, ScorePart::probability, {query, query + 1}, {key, key + 1})[head].item<double>();
    const auto end = layer_scores.log_normaliser.defined()
                         ? fmt::format("exp({} − log normaliser {})", number(cell.logit), in_brackets(layer_scores.log_normaliser[head][query].item<double>()))
                         : std::string("the normaliser's weight");
    cell.sentence = fmt::format("{} = logit {} → {} = probability {:.3g}", sum, number(cell.logit), end, cell.probability);
    return cell;
}

Result<CellArithmetic> ModelMapSession::cell(std::int64_t layer, std::int64_t head, std::int64_t query, std::int64_t key) {
    return guarded<CellArithmetic>([&] {
        if (head < 0) throw Failure(ErrorKind::invalid_argument, "A cell belongs to one head: name it.");
        check_head(layer, head);
        check_range({query, query + 1}, info_.length, "queries");
        check_range({key, key + 1}, info_.length, "keys");
        return cell_arithmetic(layer, head, query, key);
    });
}

Result<std::vector<HeadMeasures>> ModelMapSession::measures(const MeasureRequest& request, const RunContext& context) {
    return guarded<std::vector<HeadMeasures>>([&] {
        // A second owner that never deletes: the session outlives the call.
        const std::shared_ptr<ModelMapSession> self(this, [](ModelMapSession*) {});
        return measure_sessions({self}, request, context);
    });
}

}  // namespace lw
