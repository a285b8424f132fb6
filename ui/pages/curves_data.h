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
    std::filesystem::path folder;
    std::string id;
    QString title;
    QString group;
    int style = 0;
    std::int64_t trainLength = 0;
    bool current = false;
};

struct CurvesRequest {
    CurvesMode mode = CurvesMode::perplexity;
    std::string protocol = "last-k";
    bool groupSeeds = true;
    std::vector<CurveRun> runs;
    std::vector<lw::Evaluation> fresh;  ///< of this session: newer than what the folders hold
};

struct CurvesLoaded {
    CurvesMode mode = CurvesMode::perplexity;
    lw::CurveSet set;               ///< perplexity only
    CurveContent content;
    std::vector<int> lineRun;       ///< per series: index into the request's runs, -1 = none
    QStringList missing;            ///< titles of runs that have nothing to show
    QString note;
};

[[nodiscard]] lw::Result<CurvesLoaded> loadCurves(const CurvesRequest& request);
/// Puts the points of unsaved evaluations into the lines they belong to, or adds a line.
void mergeFresh(lw::CurveSet& set, const CurvesRequest& request);
/// Marks the line of the current run.
void markCurrent(CurvesLoaded& loaded, const std::vector<CurveRun>& runs);

/// Each line against a reference at each length: p over seeds and the sentence.
struct ReferenceTable {
    QString reference;                                      ///< title of the line the others are compared with
    std::map<std::pair<std::string, std::int64_t>, lw::Comparison> cells;  ///< (title, length)
    QString problem;                                        ///< why there is none, "" = there is
};
/// `runs` begin with the reference's.
[[nodiscard]] lw::Result<ReferenceTable> loadReference(const std::vector<std::filesystem::path>& runs, const std::string& protocol, const QString& reference);

}  // namespace lw::ui
