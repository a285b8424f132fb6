#pragma once
/// What the Curves page shows, read on the compute thread as plain values.

#include "core/api/evaluation.h"
#include "core/api/runs.h"
#include "ui/plot/curve_content.h"

#include <QString>
#include <QStringList>

#include <map>
#include <optional>

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
    bool demo = false;
    QString source = {};                ///< what it was trained on
    QString tokens = {};                ///< tokensText(): what one token is
    QString settings = {};              ///< how it was scored, where the runs of a plot differ in that
};

struct CurvesRequest {
    CurvesMode mode = CurvesMode::perplexity;
    bool beyond = false;            ///< by position: counted from the training length on instead of from the first token
    std::string protocol = "last-k";
    bool groupSeeds = true;
    std::vector<CurveRun> runs;
    std::vector<std::pair<QString, lw::Evaluation>> fresh;  ///< by key of the run: points of evaluations that still run
    std::string published;          ///< id of a set of published values drawn beside, "" = none
};

struct CurvesLoaded {
    CurvesMode mode = CurvesMode::perplexity;
    bool beyond = false;            ///< of the request
    std::vector<CurveRun> runs;     ///< of the request: what lineRun counts in
    lw::CurveSet set;               ///< not for losses against step; its lines name their runs by folder, as ids repeat
    CurveContent content;
    std::vector<int> lineRun;       ///< per series: index into `runs`, -1 = none
    QStringList missing;            ///< titles of runs that have nothing to show
    QStringList older;              ///< titles of runs whose evaluation was made before losses beyond L were kept
    QStringList within;             ///< titles of runs that were not measured beyond L
    QStringList problems;           ///< what is wrong with files of evaluations
    QString note;                   ///< where published values come from
    std::vector<int> group;         ///< per series: lines of one group can be compared with each other; -1 = with none
    QString warning;                ///< why not all lines can be compared, one sentence; "" = they can
    QString warningHelp;            ///< the groups, one a line
};

[[nodiscard]] lw::Result<CurvesLoaded> loadCurves(const CurvesRequest& request);
/// "bpe, 1,024 pieces of en-prose": losses are per token, so runs with other tokens have other losses.
[[nodiscard]] QString tokensText(const lw::DataSpec& data);
/// What must be alike for losses of two runs to be compared: tokens, texts, and how they were scored.
[[nodiscard]] QString comparisonKey(const CurveRun& run);
/// Fills group and warning from the runs of the series.
void findGroups(CurvesLoaded& loaded);
/// The evaluation of a run that counts for the request: an unsaved one goes before those in files.
[[nodiscard]] std::optional<lw::Evaluation> evaluationOf(const CurveRun& run, const CurvesRequest& request);
/// Puts the points of unsaved evaluations into the lines they belong to, or adds a line.
void mergeFresh(lw::CurveSet& set, const CurvesRequest& request);
/// Marks the line of the run that `runs` says is the current one.
void markCurrent(CurvesLoaded& loaded);
/// Where a line's runs stand in `runs`.
[[nodiscard]] std::vector<std::size_t> runsOfLine(const lw::CurveLine& line, const std::vector<CurveRun>& runs);
/// Puts folders in the place of ids: a run of the workspace may have the id of one that comes with the program.
void nameByFolder(lw::CurveSet& set, const CurvesRequest& request);
/// The other way round, for files.
[[nodiscard]] lw::CurveSet namedById(lw::CurveSet set, const std::vector<CurveRun>& runs);
/// Titles that do not repeat: equal ones get what tells their runs apart, by L, corpus, "demo" and seed.
[[nodiscard]] QStringList distinctTitles(const std::vector<CurveRun>& runs);

/// Each line against a reference at each length: p over seeds and the sentence.
struct ReferenceTable {
    QString reference;                                      ///< title of the line the others are compared with
    std::map<std::pair<std::string, std::int64_t>, lw::Comparison> cells;  ///< (lineKey, length)
    std::map<std::string, QString> problems;                ///< lineKey: why that line cannot be compared
    QString problem;                                        ///< why there is no comparison at all, "" = there is
};
/// Titles and ids may repeat; the folders of a line's runs do not.
[[nodiscard]] std::string lineKey(const lw::CurveLine& line);
struct ReferenceLine {
    std::string key;                                        ///< lineKey
    QString title;
    std::vector<std::filesystem::path> folders;             ///< of its runs' evaluations
    std::size_t seeds = 1;                                  ///< different ones: a repeated run counts once
    bool current = false;
};
struct ReferenceRequest {
    std::string protocol;
    std::vector<ReferenceLine> lines;
    std::optional<std::size_t> chosen;                      ///< the line a person compares with
};
/// Against the chosen line, else against one that can be compared with most of the others, if possible one with several seeds and not the
/// current run's. Line by line, so that one that cannot be compared does not take the others with it. Errors: cancelled.
[[nodiscard]] lw::Result<ReferenceTable> loadReference(const ReferenceRequest& request, const lw::RunContext& context = {});

}  // namespace lw::ui
