#pragma once
/// What the Curves page shows, read on the compute thread as plain values.

#include "core/api/evaluation.h"
#include "core/api/runs.h"
#include "ui/plot/curve_content.h"

#include <QString>
#include <QStringList>

#include <map>

namespace lw::ui {

enum class CurvesMode { perplexity, position, training };

/// A shown run as the plots need it.
struct CurveRun {
    QString key;
    std::filesystem::path folder;
    std::filesystem::path evaluations;  ///< folder whose evaluations count
    std::string id;
    QString title;
    QString group;
    int style = 0;
    std::int64_t trainLength = 0;
    std::uint64_t seed = 1;
    bool current = false;
};

struct CurvesRequest {
    CurvesMode mode = CurvesMode::perplexity;
    std::string protocol = "last-k";
    bool groupSeeds = true;
    std::vector<CurveRun> runs;
    std::vector<std::pair<QString, lw::Evaluation>> fresh;  ///< by key of the run: points of evaluations that still run
    std::string published;          ///< id of a set of published values drawn beside, "" = none
};

struct CurvesLoaded {
    CurvesMode mode = CurvesMode::perplexity;
    std::vector<CurveRun> runs;     ///< of the request: what lineRun counts in
    lw::CurveSet set;               ///< perplexity only
    CurveContent content;
    std::vector<int> lineRun;       ///< per series: index into `runs`, -1 = none
    QStringList missing;            ///< titles of runs that have nothing to show
    QStringList problems;           ///< what is wrong with files of evaluations
    QString note;                   ///< where published values come from
};

[[nodiscard]] lw::Result<CurvesLoaded> loadCurves(const CurvesRequest& request);
/// Puts the points of unsaved evaluations into the lines they belong to, or adds a line.
void mergeFresh(lw::CurveSet& set, const CurvesRequest& request);
/// Marks the line of the run that `runs` says is the current one.
void markCurrent(CurvesLoaded& loaded);
/// Where a line's runs stand in `runs`.
[[nodiscard]] std::vector<std::size_t> runsOfLine(const lw::CurveLine& line, const std::vector<CurveRun>& runs);

/// Each line against a reference at each length: p over seeds and the sentence.
struct ReferenceTable {
    QString reference;                                      ///< title of the line the others are compared with
    std::map<std::pair<std::string, std::int64_t>, lw::Comparison> cells;  ///< (lineKey, length)
    std::map<std::string, QString> problems;                ///< lineKey: why that line cannot be compared
    QString problem;                                        ///< why there is no comparison at all, "" = there is
};
/// Titles may repeat; the runs of a line do not.
[[nodiscard]] std::string lineKey(const lw::CurveLine& line);
struct ReferenceRequest {
    QString reference;
    std::string protocol;
    std::vector<std::filesystem::path> first;               ///< folders of the reference's runs
    std::vector<std::pair<std::string, std::vector<std::filesystem::path>>> others;  ///< lineKey and folders
};
/// Line by line, so that one that cannot be compared does not take the others with it.
[[nodiscard]] ReferenceTable loadReference(const ReferenceRequest& request);

}  // namespace lw::ui
