#include "core/study/report_sentences.h"

#include "core/evaluation/protocol.h"
#include "core/study/report_rows.h"

#include <fmt/format.h>

namespace lw {

namespace {

using Stretch = std::vector<const Comparison*>;

enum class Outcome { untested, equal, alike, different };

/// Losses that are equal to the last digit have a ratio of 1 whatever is resampled, so that their ends do not tell whether anything was.
bool equal_losses(const Comparison& c) { return c.ratio == 1 && !has_interval(c); }

Outcome outcome_of(const Comparison& c, double level) {
    if (!was_tested(c)) return Outcome::untested;
    if (equal_losses(c) && c.corrected_p < 0) return Outcome::equal;
    return is_significant(c, level) ? Outcome::different : Outcome::alike;
}

bool in_times(const Comparison& c) { return c.ratio > kSaidInTimes; }

const char* direction(const Comparison& c) { return c.ratio < 1 ? "lower" : "higher"; }

/// How much lower or higher, in the direction of the comparison.
double percent(const Comparison& c, double ratio) { return 100 * (c.ratio < 1 ? -1 : 1) * (ratio - 1); }

std::string seed_words(const Comparison& c) {
    if (c.seeds_a == c.seeds_b) return counted(c.seeds_a, "seed");
    return fmt::format("{} against {} seeds", c.seeds_a, c.seeds_b);
}

/// "4.1 % [3.0, 5.2]", with the interval in the direction of the difference; "4.1 % (no interval)" without resamples or with one unit only, and
/// "0.0 %" of equal losses.
std::string amount_words(const Comparison& c) {
    if (equal_losses(c)) return "0.0 %";
    if (!has_interval(c)) return fmt::format("{:.1f} % (no interval)", percent(c, c.ratio));
    const auto [low, high] = std::minmax({percent(c, c.low), percent(c, c.high)});
    return fmt::format("{:.1f} % [{:.1f}, {:.1f}]", percent(c, c.ratio), low, high);
}

/// Of several lengths, in per cent or in times: "3.1 to 4.1 % (intervals within [2.0, 5.2])".
std::string amount_words(const Stretch& stretch, bool times) {
    Span value, interval;
    for (const Comparison* c : stretch) {
        const auto shown = [&](double ratio) { return times ? ratio : percent(*c, ratio); };
        value.take(shown(c->ratio));
        interval.take(shown(c->low));
        interval.take(shown(c->high));
    }
    const std::string unit = times ? " times" : " %";
    if (!has_interval(*stretch.front())) return span_words(value) + unit + (times || equal_losses(*stretch.front()) ? "" : " (no interval)");
    return fmt::format("{}{} (intervals within [{:.1f}, {:.1f}])", span_words(value), unit, interval.low, interval.high);
}

/// "27.7 times [20.1, 33.0] as high as": the words between the two.
std::string ratio_words(const Stretch& stretch) {
    return stretch.size() == 1 ? times_words(*stretch.front()) : amount_words(stretch, true) + " as high as";
}

/// "by 4.1 % [3.0, 5.2]"
std::string percent_words(const Stretch& stretch) {
    return "by " + (stretch.size() == 1 ? amount_words(*stretch.front()) : amount_words(stretch, false));
}

/// What the sentence rests on: p, seeds, documents, and of one length the effect.
std::string grounds_of(const Stretch& stretch, const StudySpec& spec) {
    const Comparison& c = *stretch.front();
    Span p;
    for (const Comparison* one : stretch) p.take(one->corrected_p);
    std::string grounds = c.corrected_p >= 0 ? p_words(p) + ", " + seed_words(c) : seed_words(c) + " (no test over seeds)";
    if (c.corrected_p >= 0 && spec.test == "paired" && !can_be_paired(c)) grounds += " that cannot be paired, so by Welch's test";
    grounds += ", " + c.units;
    if (stretch.size() == 1 && c.effect) grounds += fmt::format(", Hedges' g = {:.2f}", *c.effect);
    return grounds;
}

std::string stretch_words(const Stretch& stretch, const StudySpec& spec) {
    const Comparison& c = *stretch.front();
    std::vector<std::int64_t> lengths;
    for (const Comparison* one : stretch) lengths.push_back(one->length);
    const std::string at = lengths_words(lengths), grounds = grounds_of(stretch, spec);
    const std::string difference = in_times(c) ? ratio_words(stretch) + " " + c.b : fmt::format("{} {}", direction(c), percent_words(stretch));
    switch (outcome_of(c, spec.evaluation.level)) {
        case Outcome::untested: return fmt::format("{} and {} were not tested at {}: {} {}, {}.", c.a, c.b, at, c.a, difference, grounds);
        case Outcome::equal: return fmt::format("{} and {} are equal at {}, {}.", c.a, c.b, at, grounds);
        case Outcome::alike: return fmt::format("{} and {} do not differ significantly at {}: {} {}, {}.", c.a, c.b, at, c.a, difference, grounds);
        case Outcome::different: break;
    }
    if (in_times(c)) return fmt::format("{} is {} at {}, {}.", c.a, difference, at, grounds);
    return fmt::format("{} is {} than {} at {} {}, {}.", c.a, direction(c), c.b, at, percent_words(stretch), grounds);
}

/// Whether one sentence is true of both: all that it says once is the same.
bool said_alike(const Comparison& x, const Comparison& y, const StudySpec& spec) {
    const double level = spec.evaluation.level;
    const bool paired = spec.test == "paired";
    return x.a == y.a && x.b == y.b && outcome_of(x, level) == outcome_of(y, level) && (x.ratio < 1) == (y.ratio < 1) && in_times(x) == in_times(y) &&
           has_interval(x) == has_interval(y) && (x.corrected_p >= 0) == (y.corrected_p >= 0) && (!paired || can_be_paired(x) == can_be_paired(y)) &&
           x.seeds_a == y.seeds_a && x.seeds_b == y.seeds_b && x.units == y.units;
}

/// Whether no length of the table lies between the two.
bool adjacent(const std::vector<std::int64_t>& lengths, std::int64_t first, std::int64_t second) {
    const auto place = std::find(lengths.begin(), lengths.end(), first);
    return place != lengths.end() && place + 1 != lengths.end() && *(place + 1) == second;
}

}  // namespace

void Span::take(double value) {
    low = empty ? value : std::min(low, value);
    high = empty ? value : std::max(high, value);
    empty = false;
}

std::string span_words(const Span& span) {
    const std::string low = fmt::format("{:.1f}", span.low), high = fmt::format("{:.1f}", span.high);
    return low == high ? low : low + " to " + high;
}

std::string p_words(const Span& p) {
    const auto words = [](double value) { return value < 0.001 ? std::string("< 0.001") : fmt::format("= {:.3f}", value); };
    const std::string low = words(p.low), high = words(p.high);
    return low == high ? "p " + low : fmt::format("p {} to {}", low, high.substr(2));
}

std::string lengths_words(const std::vector<std::int64_t>& lengths) {
    if (lengths.size() == 1) return with_commas(lengths.front());
    return fmt::format("{} {} {}", with_commas(lengths.front()), lengths.size() == 2 ? "and" : "to", with_commas(lengths.back()));
}

std::string sentence_of(const Comparison& comparison, const StudySpec& spec) { return stretch_words({&comparison}, spec); }

std::vector<StudyPair> pair_findings(const std::vector<Comparison>& comparisons, const std::vector<std::int64_t>& lengths,
                                     const StudySpec& spec) {
    const auto titles = [](const Comparison& c) { return std::pair(c.a, c.b); };
    const auto goes_on = [&](const Comparison& x, const Comparison& y) { return adjacent(lengths, x.length, y.length) && said_alike(x, y, spec); };
    return stretched_findings(comparisons, titles, goes_on, [&](const Stretch& stretch) { return stretch_words(stretch, spec); });
}

}  // namespace lw
