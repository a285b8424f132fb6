#pragma once
/// A timing log of moving over a large map: what a person waits for at each view.

#include "app/cli/selection.h"
#include "app/cli/shell.h"

namespace lw::cli {

struct PanOptions {
    bool pan = false;
    std::int64_t views = 24;
    double dwell = 0;       ///< seconds that a view is looked at before it moves on, finished or not; 0 = until it is exact
    std::string log;        ///< .csv or .json
};
void add_pan_options(CLI::App* command, PanOptions& options);

/// Moves over the map and prints, logs and emits the times. `tile` says which part, head, pixels and reducer.
void pan_map(Shell& shell, MapSession& session, const TileSelection& tile, const PanOptions& options, double opening_seconds);

}  // namespace lw::cli
