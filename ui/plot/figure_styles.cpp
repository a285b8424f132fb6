/// Colours of figures that are drawn from the command line: those that the window gives the same runs. See figures.h.
#include "ui/plot/figures.h"
#include "ui/plot/run_styles.h"
#include "ui/theme.h"

#include <algorithm>

namespace lw::ui {

namespace {

struct StyledRuns {
    std::vector<lw::RunInfo> runs;
    std::vector<int> styles;
};

/// All runs that the window lists of this workspace, then those of other places.
StyledRuns styledRuns(const std::vector<lw::RunInfo>& drawn, const std::filesystem::path& workspace) {
    StyledRuns all{lw::demo_runs(), {}};
    std::error_code ignored;
    if (std::filesystem::is_directory(workspace, ignored)) {
        auto list = lw::list_runs(workspace);
        if (list.ok()) all.runs.insert(all.runs.end(), list.value().runs.begin(), list.value().runs.end());
    }
    for (const lw::RunInfo& run : drawn) {
        const auto listed = [&](const lw::RunInfo& other) { return other.folder == run.folder; };
        if (std::none_of(all.runs.begin(), all.runs.end(), listed)) all.runs.push_back(run);
    }
    RunStyleMemory memory = readRunStyles(workspace);
    all.styles = stylesOfRuns(all.runs, memory);
    return all;
}

/// The run of a line. Ids may repeat, as a run of the workspace may have that of a demo run: the n-th line of a title is then of the n-th of them.
const lw::RunInfo* runOfLine(const std::vector<lw::CurveLine>& lines, std::size_t line, const std::vector<lw::RunInfo>& drawn) {
    if (lines[line].runs.empty()) return nullptr;
    std::vector<const lw::RunInfo*> found;
    for (const lw::RunInfo& run : drawn)
        if (run.id == lines[line].runs.front()) found.push_back(&run);
    if (found.empty()) return nullptr;
    const auto before = std::count_if(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(line),
                                      [&](const lw::CurveLine& other) { return other.title == lines[line].title && other.runs == lines[line].runs; });
    return found[std::min(static_cast<std::size_t>(before), found.size() - 1)];
}

}  // namespace

std::vector<int> curve_styles(const lw::CurveSet& curves, const std::vector<lw::RunInfo>& drawn, const std::filesystem::path& workspace) {
    const StyledRuns all = styledRuns(drawn, workspace);
    std::vector<int> styles;
    for (std::size_t line = 0; line < curves.lines.size(); ++line) {
        const lw::RunInfo* run = runOfLine(curves.lines, line, drawn);
        const auto place = std::find_if(all.runs.begin(), all.runs.end(), [&](const lw::RunInfo& other) { return run != nullptr && other.folder == run->folder; });
        styles.push_back(place == all.runs.end() ? theme::runStyle(static_cast<int>(line)) : all.styles[static_cast<std::size_t>(place - all.runs.begin())]);
    }
    return styles;
}

void style_encoding_figures(std::vector<EncodingFigure>& schemes, const std::filesystem::path& workspace) {
    const StyledRuns all = styledRuns({}, workspace);
    SchemeStyles known;
    for (std::size_t r = 0; r < all.runs.size(); ++r) addSchemeStyle(known, all.runs[r].recipe.scheme, all.styles[r]);
    std::set<int> taken;
    for (EncodingFigure& scheme : schemes) {
        scheme.style = styleOfScheme(scheme.scheme, known, taken);
        taken.insert(scheme.style);
    }
}

}  // namespace lw::ui
