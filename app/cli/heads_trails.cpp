/// heads --lengths, --steps: every head over lengths and checkpoints.
#include "app/cli/heads_views.h"
#include "app/cli/text.h"
#include "app/cli/values.h"
#include "core/api/export.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lw::cli {
namespace {

constexpr std::size_t kMostDrifts = 8;

std::string fixed(double value) { return std::isnan(value) ? std::string("–") : fmt::format("{:.2f}", value); }

std::string range(const LogitRange& range) { return std::isnan(range.low) ? std::string("–") : fmt::format("{:.1f} … {:.1f}", range.low, range.high); }

/// By head first, so that a trail stands in neighbouring lines.
std::string points_text(const HeadAtlas& atlas) {
    Table table({"layer", "head", "step", "length", "class", "C", "rho", "lambda", "A", "entropy", "eff. keys", "spread", "beyond L", "sink", "self", "logits < L", "logits >= L"});
    auto points = atlas.points;
    std::stable_sort(points.begin(), points.end(), [](const HeadPoint& a, const HeadPoint& b) { return std::pair(a.layer, a.head) < std::pair(b.layer, b.head); });
    for (const auto& p : points) {
        table.add({std::to_string(p.layer), std::to_string(p.head), grouped(p.step), grouped(p.length), p.head_class, fixed(p.contrast), fixed(p.rank), fixed(p.locality),
                   fixed(p.adaptivity), fixed(p.entropy), three_digits(p.effective_keys), fixed(p.spread), fixed(p.beyond_training), fixed(p.sink), fixed(p.self),
                   range(p.trained), range(p.untrained)});
    }
    return table.text();
}

std::string terms_text(const HeadAtlas& atlas) {
    Table table({"layer", "step", "length", "RMS content", "RMS bias", "RMS adaptive"});
    for (const auto& t : atlas.terms) {
        table.add({std::to_string(t.layer), grouped(t.step), grouped(t.length), three_digits(t.content), three_digits(t.bias), three_digits(t.adaptive)});
    }
    return table.text();
}

std::string drift_text(const HeadAtlas& atlas, TrailAxis over) {
    Table table({"layer", "head", "class", "lambda from", "to", "path", "class changes"});
    auto drifts = head_drift(atlas, over);
    drifts.resize(std::min(drifts.size(), kMostDrifts));
    for (const auto& d : drifts) {
        const auto classes = d.from_class == d.to_class ? d.to_class : fmt::format("{} → {}", d.from_class, d.to_class);
        table.add({std::to_string(d.layer), std::to_string(d.head), classes, fixed(d.from_locality), fixed(d.to_locality), fixed(d.path), std::to_string(d.class_changes)});
    }
    return table.text();
}

}  // namespace

void save_table(Shell& shell, const std::string& out, const std::string& csv) {
    if (out.empty()) return;
    make_parent_folder(out);
    need(write_text_file(out, csv));
    shell.print(out + "\n");
}

void show_trails(Shell& shell, const AtlasSelection& selection, const std::string& out) {
    const auto atlas = need(head_atlas(atlas_request(shell, selection), shell.context()));
    const std::string of = score_part_name(atlas.of);
    const std::string other = of == selection.of ? "" : fmt::format(" (this scheme has no {})", selection.of);
    shell.print(fmt::format("{}, trained at L = {}. {}.\nC, rho, lambda, A and the class: {}{}, last query; the rest: weights and logits of the last {} queries.\n\n", atlas.run_title,
                            grouped(atlas.train_length), atlas.text, of, other, grouped(atlas.queries)));
    shell.print(points_text(atlas));
    shell.print("\nRMS of the terms, nats\n" + terms_text(atlas));
    if (atlas.lengths.size() > 1) shell.print("\nHeads that change most with length\n" + drift_text(atlas, TrailAxis::length));
    const bool all = std::find(selection.steps.begin(), selection.steps.end(), "all") != selection.steps.end();
    if (all && atlas.steps.size() == 1) {
        shell.note(
            fmt::format("There is one checkpoint only, of step {}, so nothing is followed through training; train with --set "
                        "training.keep_checkpoints=0 to keep all.",
                        grouped(atlas.steps.front())));
    }
    if (atlas.steps.size() > 1) shell.print("\nHeads that changed most in training\n" + drift_text(atlas, TrailAxis::step));
    shell.print("\neff. keys: exp of the entropy. spread: entropy over that of equal weights. beyond L: weight at distances that training had not. sink: weight on the\n"
                "first token. self: on the query's own. logits: smallest and largest at distances that training had, and had not. path: sum of |change of lambda|.\n");
    save_table(shell, out, atlas_csv(atlas));
    shell.emit(to_json(atlas));
}

}  // namespace lw::cli
