#include "core/evaluation/comparison.h"

#include "core/evaluation/bootstrap.h"
#include "core/evaluation/line_titles.h"
#include "core/evaluation/pairing.h"
#include "core/evaluation/protocol.h"
#include "core/evaluation/seed_groups.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace lw {
namespace {

/// The point of every member, or nothing when one lacks this length.
std::vector<const LengthPoint*> points_at(const SeedGroup& group, std::int64_t length) {
    std::vector<const LengthPoint*> points;
    for (const EvaluatedRun* run : group) {
        const LengthPoint* point = point_at(*run, length);
        if (point == nullptr) return {};
        points.push_back(point);
    }
    return points;
}

std::vector<double> losses_of(const std::vector<const LengthPoint*>& points) {
    std::vector<double> losses;
    for (const LengthPoint* point : points) losses.push_back(point->loss);
    return losses;
}

/// What the bootstrap at a length goes over.
std::string units_of(const Evaluation& evaluation, const LengthPoint& point) {
    const auto count = static_cast<std::int64_t>(point.document_loss.size());
    return evaluation.unit == "document" ? counted(count, "document") : fmt::format("{} of {}", counted(count, "place"), counted(point.documents, "document"));
}

std::string percent(double level) { return fmt::format("{:.4g} %", 100 * level); }

void add_point(CurveLine& line, const SeedGroup& group, std::int64_t length) {
    const std::vector<const LengthPoint*> points = points_at(group, length);
    if (points.empty()) return;
    const LengthPoint& first = *points.front();
    const MeanSummary mean = summarise(losses_of(points), group.front()->evaluation.protocol.level);
    const double value = points.size() == 1 ? first.perplexity : std::exp(mean.mean);
    line.length.push_back(static_cast<double>(length));
    line.value.push_back(value);
    line.low.push_back(mean.interval ? std::exp(mean.interval->low) : first.low);
    line.high.push_back(mean.interval ? std::exp(mean.interval->high) : first.high);
    line.tokens.push_back(static_cast<double>(first.tokens));
    if (first.candidates > 0) line.candidates.push_back(static_cast<double>(first.candidates));
}

CurveLine make_line(const SeedGroup& group, const std::string& title) {
    const EvaluatedRun& first = *group.front();
    CurveLine line;
    line.title = title;
    line.group = first.group;
    line.seeds = static_cast<std::int64_t>(group.size());
    line.train_length = first.train_length;
    for (const EvaluatedRun* run : group) line.runs.push_back(run->evaluation.run);
    for (const LengthPoint& point : first.evaluation.points) add_point(line, group, point.length);
    const EvaluationSpec& protocol = first.evaluation.protocol;
    if (group.size() > 1) {
        line.band = seeds_band(group);
    } else {
        const bool measured = protocol.bootstrap > 0 && !first.evaluation.points.empty();
        line.band = measured ? fmt::format("{} bootstrap over {}", percent(protocol.level), units_of(first.evaluation, first.evaluation.points.back())) : "no interval";
    }
    return line;
}

/// Units of a group at one length: losses averaged over its seeds, which all scored the same tokens.
std::vector<LossSum> mean_units(const std::vector<const LengthPoint*>& points) {
    std::vector<LossSum> units(points.front()->document_loss.size());
    for (std::size_t n = 0; n < units.size(); ++n) {
        units[n].tokens = points.front()->document_tokens[n];
        double loss = 0;
        for (const LengthPoint* point : points) loss += point->document_loss[n];
        units[n].nll = loss / static_cast<double>(points.size()) * static_cast<double>(units[n].tokens);
    }
    return units;
}

std::string seeds_clause(const Comparison& c, const std::string& quantity) {
    std::string clause = c.seeds_a == c.seeds_b ? counted(c.seeds_a, "seed") + " each" : fmt::format("{} against {}", counted(c.seeds_a, "seed"), c.seeds_b);
    if (c.welch_p < 0) return clause + (c.seeds_a == c.seeds_b ? ", too few to test over seeds" : ", too few to test over seeds: a single one may be the luckiest");
    clause += fmt::format(", Welch's test on log {} p = {:.2g}", quantity, c.welch_p);
    return std::min(c.seeds_a, c.seeds_b) < 5 ? clause + " (weak with so few seeds)" : clause;
}

std::map<std::uint64_t, double> losses_by_seed(const SeedGroup& group, const std::vector<const LengthPoint*>& points) {
    std::map<std::uint64_t, double> losses;
    for (std::size_t n = 0; n < group.size(); ++n) losses[group[n]->seed] = points[n]->loss;
    return losses;
}

/// Runs of one seed see the same batches, so that groups with the same seeds can be compared seed by seed, which sees smaller
/// differences. Nothing where they cannot.
std::optional<TTest> test_by_seed(const std::map<std::uint64_t, double>& a, const std::map<std::uint64_t, double>& b, double level) {
    std::vector<double> losses_a, losses_b;
    for (const auto& [seed, loss] : a) {
        const auto other = b.find(seed);
        if (other == b.end() || a.size() != b.size()) return std::nullopt;
        losses_a.push_back(loss);
        losses_b.push_back(other->second);
    }
    return paired_test(losses_a, losses_b, level);
}

std::string sentence_of(const Comparison& c, const EvaluationSpec& protocol, bool has_interval) {
    const std::string at = with_commas(c.length), quantity = quantity_words(protocol.protocol), seeds = seeds_clause(c, quantity);
    if (!has_interval) return fmt::format("{} against {} at {}: {} ratio {:.4f}, without interval; {}.", c.a, c.b, at, quantity, c.ratio, seeds);
    const std::string basis = fmt::format("({} paired bootstrap over {}); {}.", percent(protocol.level), c.units, seeds);
    if (c.ratio > kSaidInTimes && c.low > 1) return fmt::format("{} is {} {} at {} {}", c.a, times_words(c), c.b, at, basis);
    if (c.low <= 1 && c.high >= 1) {
        return fmt::format("{} and {} do not differ clearly at {}: {} ratio {:.4f} [{:.4f}, {:.4f}] {}", c.a, c.b, at, quantity, c.ratio, c.low, c.high, basis);
    }
    const bool lower = c.ratio < 1;
    const double small = lower ? 1 - c.high : c.low - 1;
    const double large = lower ? 1 - c.low : c.high - 1;
    return fmt::format("{} is {} than {} at {} by {:.1f} % [{:.1f}, {:.1f}] {}", c.a, lower ? "lower" : "higher", c.b, at, 100 * std::abs(1 - c.ratio), 100 * small, 100 * large, basis);
}

Comparison compare_points(const SeedGroup& a, const SeedGroup& b, const std::vector<const LengthPoint*>& points_a, const std::vector<const LengthPoint*>& points_b) {
    const Evaluation& base = b.front()->evaluation;
    const std::vector<LossSum> units_a = mean_units(points_a);
    const std::vector<LossSum> units_b = mean_units(points_b);
    const std::vector<std::string> titles = distinct_titles({a.front(), b.front()});
    Comparison c;
    c.a = titles[0];
    c.b = titles[1];
    c.length = points_b.front()->length;
    c.ratio = std::exp(total(units_a).mean() - total(units_b).mean());
    const auto interval = bootstrap_ratio(units_a, units_b, {base.protocol.bootstrap, base.protocol.level, base.seed});
    c.low = interval ? interval->low : c.ratio;
    c.high = interval ? interval->high : c.ratio;
    c.seeds_a = static_cast<std::int64_t>(a.size());
    c.seeds_b = static_cast<std::int64_t>(b.size());
    c.documents = points_b.front()->documents;
    if (const auto test = welch_test(losses_of(points_a), losses_of(points_b), base.protocol.level)) c.welch_p = test->p;
    c.effect = hedges_g(losses_of(points_a), losses_of(points_b));
    const auto paired = test_by_seed(losses_by_seed(a, points_a), losses_by_seed(b, points_b), base.protocol.level);
    if (paired) c.paired_p = paired->p;
    c.units = units_of(base, *points_b.front());
    c.other_texts = base.unit == "document";
    c.sentence = sentence_of(c, base.protocol, interval.has_value());
    if (paired) c.sentence += fmt::format(" Seed by seed, a paired t test gives p = {:.2g}.", paired->p);
    return c;
}

}  // namespace

std::vector<CurveLine> curve_lines(const std::vector<EvaluatedRun>& runs, bool group_seeds) {
    std::vector<CurveLine> lines;
    const std::vector<SeedGroup> groups = seed_groups(runs, group_seeds);
    const std::vector<std::string> titles = group_titles(groups);
    for (std::size_t n = 0; n < groups.size(); ++n) lines.push_back(make_line(groups[n], titles[n]));
    return lines;
}

std::string times_words(const Comparison& comparison) {
    const std::string interval = comparison.low == comparison.high ? "" : fmt::format(" [{:.1f}, {:.1f}]", comparison.low, comparison.high);
    return fmt::format("{:.1f} times{} as high as", comparison.ratio, interval);
}

std::optional<Comparison> compare_at(const std::vector<EvaluatedRun>& a, const std::vector<EvaluatedRun>& b, std::int64_t length) {
    const SeedGroup group_a = seed_group(a), group_b = seed_group(b);
    const auto points_a = points_at(group_a, length), points_b = points_at(group_b, length);
    if (points_a.empty() || points_b.empty()) return std::nullopt;
    for (const EvaluatedRun* run : group_a) check_pairing(*run, *group_b.front());
    for (const EvaluatedRun* run : group_b) check_pairing(*run, *group_b.front());
    return compare_points(group_a, group_b, points_a, points_b);
}

std::optional<GroupPoint> group_point(const std::vector<EvaluatedRun>& runs, std::int64_t length) {
    const SeedGroup group = seed_group(runs);
    const auto points = points_at(group, length);
    if (points.empty()) return std::nullopt;
    const Evaluation& first = group.front()->evaluation;
    GroupPoint point;
    point.loss = summarise(losses_of(points), first.protocol.level);
    point.document_count = points.front()->documents;
    point.tokens = points.front()->tokens;
    point.units = units_of(first, *points.front());
    for (const EvaluatedRun* run : group) {
        if (!pairing_problem(*run, *group.front()).empty()) return point;  // other tokens: their units cannot be averaged
    }
    point.documents = bootstrap_perplexity(mean_units(points), {first.protocol.bootstrap, first.protocol.level, first.seed});
    return point;
}

std::vector<Comparison> compare_groups(const std::vector<EvaluatedRun>& runs) {
    const std::vector<SeedGroup> groups = seed_groups(runs, true);
    if (groups.size() < 2) {
        throw Failure(ErrorKind::invalid_argument, groups.empty() ? "no run was given to compare" : "a comparison needs two different recipes; all runs given are of one recipe");
    }
    for (const EvaluatedRun& run : runs) check_pairing(run, runs.front());
    std::vector<Comparison> comparisons;
    for (std::size_t n = 1; n < groups.size(); ++n) {
        for (const LengthPoint& point : runs.front().evaluation.points) {
            const auto points_a = points_at(groups[n], point.length);
            const auto points_b = points_at(groups.front(), point.length);
            if (!points_a.empty() && !points_b.empty()) comparisons.push_back(compare_points(groups[n], groups.front(), points_a, points_b));
        }
    }
    return comparisons;
}

}  // namespace lw
