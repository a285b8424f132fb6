#pragma once
/// The one rule by which runs and schemes get their colour, dash and marker: for the window's plots and what is exported from them, and for
/// figures drawn from the command line.

#include "core/api/runs.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace lw::ui {

/// Recipe hash without name and seed: seeds of one recipe share it, and its style.
[[nodiscard]] std::string seedGroup(const lw::RunInfo& run);

/// Styles (theme::runColour(), theme::runPenStyle()) by seedGroup() that a workspace's runs have had: a run keeps its style whatever comes or
/// goes beside it.
using RunStyleMemory = std::map<std::string, int>;

/// The style of each run, in the runs' order, which says who chooses first: demo runs, then those of the workspace, oldest first. Seeds of a
/// recipe share one. An extended run has the colour of the run whose weights it uses, and a run of a scheme that another one has the colour of
/// that one, both with a dash and a marker of their own. `memory` is kept to and gets the styles of runs
/// that are no demo runs and no seeds of one.
[[nodiscard]] std::vector<int> stylesOfRuns(const std::vector<lw::RunInfo>& runs, RunStyleMemory& memory);

/// What a workspace remembers, in its colours.json; empty where there is no such file or it cannot be read.
[[nodiscard]] RunStyleMemory readRunStyles(const std::filesystem::path& workspace);
/// Errors: io.
lw::Status saveRunStyles(const std::filesystem::path& workspace, const RunStyleMemory& memory);

/// Styles by the methods of a scheme, whatever their parameters.
using SchemeStyles = std::map<std::string, int>;
/// Adds a run's; the smallest style of a scheme's runs stays.
void addSchemeStyle(SchemeStyles& styles, const lw::SchemeSpec& scheme, int style);
/// The style of a scheme that is drawn without a run: that of its runs, or of those of the scheme it extends, unless it is taken or grey, which there
/// means "plain"; else the first that is free.
[[nodiscard]] int styleOfScheme(const lw::SchemeSpec& scheme, const SchemeStyles& known, const std::set<int>& taken);

}  // namespace lw::ui
