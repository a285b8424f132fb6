#pragma once
/// What the Studies page shows of a study, as plain values: read on the compute thread, put into words without a widget.

#include "core/api/study.h"

#include <QString>

#include <map>
#include <optional>
#include <vector>

namespace lw::ui {

struct StudyLive;

/// The one number of a finished run that its tile shows.
struct CellNumber {
    double value = 0;
    std::int64_t length = 0;  ///< at which: the training length, else the longest measured
    bool accuracy = false;    ///< of a task; else perplexity
};
using CellNumbers = std::map<std::string, CellNumber>;  ///< by id of the cell
/// What the numbers in the tiles are, in a sentence; "" without any.
[[nodiscard]] QString numbersText(const CellNumbers& numbers);

/// A line of the list of studies.
struct StudyItem {
    QString id, name;
    QString counts;   ///< "7 of 12 finished"
    QString problem;  ///< why it cannot be read; "" = it can
};
[[nodiscard]] std::vector<StudyItem> loadStudies(const std::filesystem::path& workspace);

struct StudyLoaded {
    lw::StudyStatus status;
    std::optional<lw::StudyEstimate> estimate;
    CellNumbers numbers;
};
struct StudyRequest {
    std::filesystem::path workspace;
    std::string id;
    std::string device = "cpu";
    CellNumbers known;  ///< read before, and not read again
};
[[nodiscard]] lw::Result<StudyLoaded> loadStudy(const StudyRequest& request);

/// Cells as a matrix: a row for each scheme, a column for each setting and seed, in the order in which they come.
struct StudyColumn {
    QString setting;
    std::uint64_t seed = 1;
};
struct StudyGrid {
    std::vector<QString> rows;
    std::vector<StudyColumn> columns;
    std::vector<std::vector<int>> cells;  ///< [row][column]: index into the status' cells; -1 = there is none
    [[nodiscard]] bool oneSetting() const;
};
[[nodiscard]] StudyGrid studyGrid(const lw::StudyStatus& status);

/// How a tile looks. The glyph and the words say the same as the colour.
struct CellLook {
    enum class Tone { quiet, busy, done, bad };
    Tone tone = Tone::quiet;
    QString glyph, text;
    QString help;       ///< tool tip: the state in a sentence, and why
    double share = -1;  ///< of its steps or lengths; < 0 = no bar
};
[[nodiscard]] CellLook cellLook(const lw::StudyCell& cell, const StudyLive& live, const CellNumbers& numbers);

/// "ALiBi, L = 128, en-prose, seed 2"
[[nodiscard]] QString cellName(const lw::StudyCell& cell);
[[nodiscard]] bool hasFailed(const lw::StudyCell& cell);
/// "7 of 12 finished, 1 failed"
[[nodiscard]] QString countsText(const lw::StudyStatus& status);
/// The same with time and memory: ", about 14 min left, needs 310 MB of 18 GB"
[[nodiscard]] QString summaryText(const lw::StudyStatus& status, const std::optional<lw::StudyEstimate>& estimate);

}  // namespace lw::ui
