#include "app/cli/loss_curves.h"

#include "app/cli/curve_runs.h"
#include "app/cli/intervals.h"
#include "app/cli/shell.h"
#include "app/cli/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <map>
#include <optional>

namespace lw::cli {
namespace {

CurveSet empty_set(const std::string& x_label, const std::string& y_label = "Loss (nats per token)") {
    CurveSet set;
    set.x_label = x_label;
    set.y_label = y_label;
    return set;
}

CurveLine empty_line(const RunInfo& run, const std::string& title) {
    CurveLine line;
    line.title = title;
    line.group = line.title + run.id;
    line.runs = {run.id};
    line.band = "no interval";
    return line;
}

void add_point(CurveLine& line, double x, double loss) {
    if (!std::isfinite(loss)) return;
    line.length.push_back(x);
    for (auto* values : {&line.value, &line.low, &line.high}) values->push_back(loss);
    line.tokens.push_back(0);
}

CurveLine accuracy_line(const RunInfo& run, const TaskEvaluation& measured, bool names_task) {
    CurveLine line = empty_line(run, names_task ? fmt::format("{}, {}", run.title, measured.source) : run.title);
    line.train_length = run.recipe.training.length;
    line.band = "95 % interval over examples";
    for (const auto& point : measured.points) {
        line.length.push_back(static_cast<double>(point.length));
        line.value.push_back(point.token_accuracy);
        line.low.push_back(point.low);
        line.high.push_back(point.high);
        line.tokens.push_back(static_cast<double>(point.examples));
    }
    return line;
}

/// What guessing reaches on a task, at the lengths of its longest line; "" as its run.
CurveLine chance_line(const std::string& title, const std::vector<TaskPoint>& points) {
    CurveLine line;
    line.title = line.group = title;
    line.runs = {""};
    line.band = "chance";
    for (const auto& point : points) add_point(line, static_cast<double>(point.length), point.chance);
    return line;
}

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
}

std::optional<Evaluation> evaluation_by(const RunInfo& run, const std::string& protocol) {
    for (auto& evaluation : need(read_evaluations(run.folder))) {
        if (evaluation.protocol.protocol == protocol) return std::move(evaluation);
    }
    return std::nullopt;
}

std::vector<std::filesystem::path> folders_of(const std::vector<RunInfo>& runs) {
    std::vector<std::filesystem::path> folders;
    for (const auto& run : runs) folders.push_back(run.folder);
    return folders;
}

bool has_beyond(const RunInfo& run, const std::string& protocol) { return !need(position_curves({run.folder}, protocol, PositionOrigin::training_length)).lines.empty(); }

/// Why a run has no losses beyond L, and what brings them; "" where it has some.
std::string why_not_beyond(const RunInfo& run, const std::string& protocol) {
    if (has_beyond(run, protocol)) return "";
    const auto evaluation = evaluation_by(run, protocol);
    const auto command = fmt::format("lengthwise-cli evaluate {} --protocol {}", name_of(run), protocol);
    if (!evaluation || evaluation->points.empty()) return fmt::format("{} has no evaluation by {}. Measure it first: {}", run.title, protocol, command);
    const auto trained = run.recipe.training.length;
    const auto older = fmt::format("{} was measured before losses by distance from the training length were kept.", run.title);
    if (lacks_boundary_loss(*evaluation, trained)) {
        // What the command line measures of a demo run is shown and not kept.
        return run.demo ? older + " Measure it again in the window (Curves, Evaluate…), which keeps and draws new numbers of demo runs." : fmt::format("{} Measure it again: {}", older, command);
    }
    if (evaluation->position_loss.empty()) return fmt::format("{} has no losses by position: they were not measured at its longest length.", run.title);
    return fmt::format("{} was measured up to {} tokens, so no context was longer than those in training (L = {}). Measure it at longer lengths: {} --lengths {},{}", run.title,
                       grouped(evaluation->points.back().length), grouped(trained), command, 2 * trained, 4 * trained);
}

}  // namespace

CurveSet position_loss_curves(const std::vector<RunInfo>& runs, const std::string& protocol, bool each_seed) {
    return need(position_curves(folders_of(runs), protocol, PositionOrigin::start, !each_seed));
}

CurveSet beyond_loss_curves(const std::vector<RunInfo>& runs, const std::string& protocol, bool each_seed) {
    auto set = need(position_curves(folders_of(runs), protocol, PositionOrigin::training_length, !each_seed));
    for (const auto& run : runs) {
        if (auto why = why_not_beyond(run, protocol); !why.empty()) set.problems.push_back(std::move(why));
    }
    return set;
}

CurveSet training_loss_curves(const std::vector<RunInfo>& runs) {
    CurveSet set = empty_set("Step");
    for (const auto& run : runs) {
        CurveLine training = empty_line(run, run.title + ", training"), validation = empty_line(run, run.title + ", validation");
        for (const auto& point : need(read_log(run.folder))) {
            add_point(training, static_cast<double>(point.step), point.loss);
            if (point.validation_loss) add_point(validation, static_cast<double>(point.step), *point.validation_loss);
        }
        if (training.length.empty()) set.missing.push_back(run.title);
        for (auto* line : {&training, &validation}) {
            if (!line->length.empty()) set.lines.push_back(std::move(*line));
        }
    }
    return set;
}

CurveSet accuracy_curves(const std::vector<RunInfo>& runs) {
    CurveSet set = empty_set("Length (tokens)", "Token accuracy");
    set.protocol = "task";
    set.protocol_line = "token accuracy on the task, 95 % intervals over examples";
    std::vector<std::pair<const RunInfo*, TaskEvaluation>> all;
    std::map<std::string, std::vector<TaskPoint>> longest;  // of each task
    for (const auto& run : runs) {
        auto measured = need(read_task_evaluation(run.folder));
        if (!measured || measured->points.empty()) {
            set.missing.push_back(run.title);
            continue;
        }
        auto& most = longest[measured->source];
        if (measured->points.size() > most.size()) most = measured->points;
        all.emplace_back(&run, std::move(*measured));
    }
    for (const auto& [run, measured] : all) set.lines.push_back(accuracy_line(*run, measured, longest.size() > 1));
    for (const auto& [source, points] : longest) set.lines.push_back(chance_line(longest.size() > 1 ? "chance, " + source : "chance", points));
    return set;
}

std::string accuracy_csv(const CurveSet& curves) {
    std::string text = "title,run,length,accuracy,low,high,examples\n";
    for (const auto& line : curves.lines) {
        for (std::size_t n = 0; n < line.length.size(); ++n) {
            text += fmt::format("{},{},{},{},{},{},{}\n", quoted(line.title), quoted(line.runs.front()), line.length[n], line.value[n], line.low[n], line.high[n], line.tokens[n]);
        }
    }
    return text;
}

std::string loss_csv(const CurveSet& curves) {
    std::string text = "title,run,step,loss\n";
    for (const auto& line : curves.lines) {
        for (std::size_t n = 0; n < line.length.size(); ++n) {
            text += fmt::format("{},{},{},{}\n", quoted(line.title), quoted(line.runs.front()), line.length[n], line.value[n]);
        }
    }
    return text;
}

std::string position_csv(const CurveSet& curves, const std::string& x_name) {
    std::string text = fmt::format("title,run,{},loss,low,high,seeds,band\n", x_name);
    for (const auto& line : curves.lines) {
        const auto runs = quoted(fmt::format("{}", fmt::join(line.runs, " ")));
        for (std::size_t n = 0; n < line.length.size(); ++n) {
            // Empty cells where there is none.
            const auto interval = has_interval(line.low[n], line.high[n]) ? fmt::format("{},{}", line.low[n], line.high[n]) : ",";
            text += fmt::format("{},{},{},{},{},{},{}\n", quoted(line.title), runs, line.length[n], line.value[n], interval, line.seeds, quoted(line.band));
        }
    }
    return text;
}

}  // namespace lw::cli
