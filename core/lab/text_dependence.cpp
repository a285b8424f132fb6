/// The verb text_dependence: two texts through one model, and where their positional terms differ.
#include "core/attention/poll.h"
#include "core/evaluation/term_difference.h"
#include "core/lab/guard.h"
#include "core/lab/head_reading.h"
#include "core/lab/measure_texts.h"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace lw {

namespace {

/// Sums over the rows of one head.
struct TermSums {
    double cells = 0, difference = 0, term = 0, largest = 0, moved = 0, rows = 0;  // difference, term: of squares
};

std::vector<double> per_head(const at::Tensor& x) {
    const auto flat = x.to(at::kCPU, at::kDouble).contiguous();
    return {flat.const_data_ptr<double>(), flat.const_data_ptr<double>() + flat.numel()};
}

/// The larger one; NaN where one of them is NaN.
double larger(double a, double b) { return std::isnan(a) || a > b ? a : b; }

void add_block(std::vector<TermSums>& sums, const TermBlock& block) {
    const auto difference = block.term_b - block.term_a;  // [H, r, c]
    const auto squares = per_head(difference.square().sum({1, 2})), terms = per_head((block.term_a.square() + block.term_b.square()).sum({1, 2}) / 2);
    const auto largest = per_head(difference.abs().amax({1, 2})), moved = per_head(block.moved.abs().sum({1, 2}) / 2);
    const auto cells = block.visible.sum().item<double>();
    for (std::size_t h = 0; h < sums.size(); ++h) {
        sums[h].cells += cells;
        sums[h].rows += static_cast<double>(block.visible.size(0));
        sums[h].difference += squares[h];
        sums[h].term += terms[h];
        sums[h].largest = larger(sums[h].largest, largest[h]);
        sums[h].moved += moved[h];
    }
}

HeadDependence dependence_of(const TermSums& sums, std::int64_t layer, std::int64_t head) {
    return {layer, head, std::sqrt(sums.difference / sums.cells), std::sqrt(sums.term / sums.cells), sums.largest, sums.moved / sums.rows};
}

bool is_finite(const HeadDependence& head) { return std::isfinite(head.rms_difference) && std::isfinite(head.rms_term) && std::isfinite(head.moved); }

/// Names the heads whose scores overflowed in one of the texts; "" where none did.
std::string warning_of(const std::vector<HeadDependence>& heads) {
    constexpr std::size_t kNamed = 6;
    std::vector<std::string> names;
    for (const auto& head : heads) {
        if (!is_finite(head)) names.push_back(fmt::format("layer {} head {}", head.layer, head.head));
    }
    if (names.empty()) return "";
    const auto more = names.size() - std::min(names.size(), kNamed);
    names.resize(names.size() - more);
    return fmt::format("Scores that are not finite numbers: {}{}. Such a head's measures have no value, and its cells without one are not listed.",
                       fmt::join(names, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

/// Refuses a layer or head that is not there; -1 stands for all of them.
void check_number(std::string_view what, std::int64_t number, std::int64_t count) {
    if (number >= -1 && number < count) return;
    throw Failure(ErrorKind::invalid_argument,
                  fmt::format("There is no {0} {1}: the model has {0}s 0 to {2}{3}.", what, number, count - 1, number < 0 ? "; -1 stands for all of them" : ""));
}

class Comparing {
public:
    Comparing(const DependenceRequest& request, const RunContext& context) : request_(request), context_(context) {}

    TextDependence compare() {
        const auto loaded = load_model(request_.run, request_.step, context_.device);
        auto a = read_text(request_.run, request_.a).value(), b = read_text(request_.run, request_.b).value();
        result_.text_a = a.title;
        result_.text_b = b.title;
        const auto length = static_cast<std::int64_t>(std::min(a.ids.size(), b.ids.size()));
        for (auto* text : {&a, &b}) {
            text->ids.resize(static_cast<std::size_t>(length));
            text->pieces.resize(static_cast<std::size_t>(length));
        }
        if (a.ids == b.ids) throw Failure(ErrorKind::invalid_argument, fmt::format("Both texts are the same {} tokens, so nothing can differ; choose another second text.", length));
        const auto session_a = read_heads(loaded, a, context_), session_b = read_heads(loaded, b, context_);
        describe(session_a.info());
        check(session_a);
        for (std::int64_t layer = 0; layer < session_a.info().layers; ++layer) {
            if (request_.layer < 0 || request_.layer == layer) add_layer(session_a, session_b, layer);
        }
        result_.warning = warning_of(result_.heads);
        return std::move(result_);
    }

private:
    void describe(const MapsInfo& info) {
        result_.run_title = info.run_title;
        result_.step = info.step;
        result_.length = info.length;
        result_.train_length = info.train_length;
    }

    void check(const ModelMapSession& session) {
        const auto& info = session.info();
        check_number("layer", request_.layer, info.layers);
        check_number("head", request_.head, info.heads);
        const auto& scheme = session.scores(0).layer;
        if (!has_term(scheme)) {
            throw Failure(ErrorKind::invalid_argument, fmt::format("The scores of {} have no bias and no adaptive term, so nothing positional beside the content could "
                                                                   "depend on the text.", info.run_title));
        }
        result_.reads_text = term_reads_text(scheme);
    }

    void add_layer(const ModelMapSession& a, const ModelMapSession& b, std::int64_t layer) {
        const auto scores_a = a.scores(layer), scores_b = b.scores(layer);
        const auto& info = a.info();
        std::vector<TermSums> sums(static_cast<std::size_t>(info.heads));
        const auto block = std::max<std::int64_t>(1, rows_of_a_block(scores_a) / 2);  // two texts at once
        for (std::int64_t begin = 0; begin < info.length; begin += block) {
            poll();
            const Span rows{begin, std::min(begin + block, info.length)};
            const auto cells = term_block(scores_a, scores_b, rows);
            add_block(sums, cells);
            const auto found = outstanding_cells(cells, rows, request_.head, request_.order == DependenceOrder::term, request_.places);
            const auto before = static_cast<std::ptrdiff_t>(result_.places.size());
            for (const auto& cell : found) add_place(layer, cell, info.text, b.info().text);
            keep_most(before);
        }
        for (std::int64_t head = 0; head < info.heads; ++head) {
            if (request_.head < 0 || request_.head == head) result_.heads.push_back(dependence_of(sums[static_cast<std::size_t>(head)], layer, head));
        }
        report(layer + 1, info.layers);
    }

    void add_place(std::int64_t layer, const OutstandingCell& cell, const TokenText& a, const TokenText& b) {
        const auto query = static_cast<std::size_t>(cell.query), key = static_cast<std::size_t>(cell.key);
        result_.places.push_back({layer, cell.head, cell.query, cell.key, cell.term_a, cell.term_b, cell.weight, cell.moved, a.pieces[query], a.pieces[key],
                                  b.pieces[query], b.pieces[key]});
    }

    /// Both the places before these and these are in order already.
    void keep_most(std::ptrdiff_t before) {
        const auto score = [&](const DependencePlace& place) {
            return std::abs(request_.order == DependenceOrder::term ? place.term_b - place.term_a : place.moved);
        };
        auto& places = result_.places;
        std::inplace_merge(places.begin(), places.begin() + before, places.end(), [&](const auto& x, const auto& y) { return score(x) > score(y); });
        if (places.size() > request_.places) places.erase(places.begin() + static_cast<std::ptrdiff_t>(request_.places), places.end());
    }

    void report(std::int64_t done, std::int64_t total) const {
        Progress progress;
        progress.stage = "Comparing two texts";
        progress.done = static_cast<double>(done);
        progress.total = static_cast<double>(total);
        progress.unit = "layers";
        context_.report(progress);
        if (context_.serve) context_.serve();
    }

    const DependenceRequest& request_;
    const RunContext& context_;
    TextDependence result_;
};

}  // namespace

Result<TextDependence> text_dependence(const DependenceRequest& request, const RunContext& context) {
    return guarded<TextDependence>([&] {
        const at::NoGradGuard no_gradient;
        const PollScope polling(context);
        return Comparing(request, context).compare();
    });
}

}  // namespace lw
