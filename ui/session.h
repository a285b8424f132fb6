#pragma once
/// The one object that pages and panels share: what is open, what is chosen, and the verbs that change it.
/// Everything lives on the window thread; work goes through compute().

#include "core/api/evaluation.h"
#include "core/api/maps.h"
#include "core/api/runs.h"
#include "ui/jobs/compute_thread.h"

#include <QColor>
#include <QSettings>
#include <QStringList>

namespace lw::ui {

enum class PageId { curves, maps, encodings, train, tasks, studies };

/// A run as the window shows it.
struct RunEntry {
    QString key;           ///< folder path: unique over demo runs and workspace
    lw::RunInfo info;
    QString group;         ///< seedGroup(): seeds of one recipe share it, and its colour
    int style = 0;         ///< theme::runColour(style, dark), theme::runPenStyle(style)
    bool shown = false;    ///< ticked: takes part in plots
    /// Where its evaluations are read from: its own folder, or the person's beside a run that comes with the program.
    std::filesystem::path evaluationFolder;
    QStringList protocols; ///< by which it was evaluated
    [[nodiscard]] QString title() const { return QString::fromStdString(info.title); }
    [[nodiscard]] double bestPerplexity() const;  ///< exp of the best validation loss, 0 = none yet
    [[nodiscard]] bool isTask() const { return info.recipe.data.source.starts_with("task:"); }
    [[nodiscard]] bool isExtended() const { return !info.base.empty(); }
};

/// A block of the details panel. Pages own sections by key; an empty section disappears.
struct DetailFact {
    QString label;
    QString value;
    QColor mark;  ///< small coloured dot before the value when valid
    std::function<void()> call = {};  ///< what a click on the label does; nothing = the label is plain text
};
struct DetailAction {
    QString label;
    std::function<void()> call;
};
struct DetailSection {
    QString heading;   ///< caption above
    QString title;     ///< bold line
    QString text;      ///< plain paragraph
    std::vector<DetailFact> facts;
    std::vector<DetailAction> actions;
    [[nodiscard]] bool empty() const { return title.isEmpty() && text.isEmpty() && facts.empty() && actions.empty(); }
};

/// Something to do that waits in the message bar until a person takes it or closes it.
struct Offer {
    QString text;
    QString action;                 ///< label of its button
    std::function<void()> accept;
    std::function<void()> dismiss;
};

/// Shading of the token strip: one value in [0, 1] per token of the current text (shorter is fine: 0..query).
struct TokenShade {
    std::vector<float> values;
    QString caption;  ///< "shade: probability, layer 2 head 5, query 8,191"
};

struct SessionOptions {
    ComputeThread::Mode mode = ComputeThread::Mode::thread;
    QString settingsFile;                ///< "" = the user's settings; tests and screenshots pass a file of their own
    std::filesystem::path workspace;     ///< "" = the one of last time, else default_workspace()
    bool demo = true;                    ///< whether the runs that come with the program are listed
};

class Session : public QObject {
    Q_OBJECT
public:
    explicit Session(const SessionOptions& options = {}, QObject* parent = nullptr);
    ~Session() override;

    [[nodiscard]] ComputeThread& compute() { return *m_compute; }
    [[nodiscard]] QSettings& settings() { return *m_settings; }

    // Workspace and runs -------------------------------------------------------------------------------------------------
    [[nodiscard]] const std::filesystem::path& workspace() const { return m_workspace; }
    void setWorkspace(const std::filesystem::path& folder);
    [[nodiscard]] QStringList recentWorkspaces() const;  ///< newest first
    [[nodiscard]] const std::vector<RunEntry>& runs() const { return m_runs; }
    [[nodiscard]] const RunEntry* findRun(const QString& key) const;
    [[nodiscard]] std::vector<const RunEntry*> shownRuns() const;
    void setShown(const QString& key, bool shown) { setShown(QStringList{key}, shown); }
    void setShown(const QStringList& keys, bool shown);
    void setShownOnly(const QStringList& keys);
    /// Reads demo runs and workspace again on the compute thread; runsChanged follows. With a key, that run becomes current and shown.
    void reloadRuns(const QString& select = {});

    // Presets ------------------------------------------------------------------------------------------------------------
    /// Schemes that come with the program, then the person's own ones in the workspace.
    [[nodiscard]] const std::vector<lw::SchemePreset>& presets() const { return m_presets; }
    /// Keeps a scheme under a name; false when it is refused, which the message bar says.
    bool savePreset(const QString& name, const lw::SchemeSpec& scheme);
    /// Deletes one of the person's own and offers to bring it back.
    void deletePreset(const QString& id);

    // Choice -------------------------------------------------------------------------------------------------------------
    [[nodiscard]] const RunEntry* currentRun() const { return findRun(m_currentRun); }
    void setCurrentRun(const QString& key);
    [[nodiscard]] std::int64_t length() const { return m_text.length; }
    void setLength(std::int64_t length);
    [[nodiscard]] std::int64_t layer() const { return m_layer; }
    [[nodiscard]] std::int64_t head() const { return m_head; }
    void setHead(std::int64_t layer, std::int64_t head);
    /// Query row; -1 = the last of the text.
    [[nodiscard]] std::int64_t query() const { return m_query; }
    void setQuery(std::int64_t query);
    [[nodiscard]] lw::ScorePart part() const { return m_part; }
    void setPart(lw::ScorePart part);
    [[nodiscard]] const lw::TextRequest& textRequest() const { return m_text; }
    void setTextRequest(const lw::TextRequest& text);
    /// Checkpoint whose maps are shown; -1 = the best, else the last. Another run begins at -1 again.
    [[nodiscard]] std::int64_t step() const { return m_step; }
    void setStep(std::int64_t step);

    // Maps ---------------------------------------------------------------------------------------------------------------
    /// Opens maps of the current run and text when they are not open (or being opened) already; mapsChanged follows.
    /// Pages call it when they are seen: nothing is computed for hidden pages.
    void ensureMaps();
    /// Capture it in jobs; never call it on the window thread. Null while nothing is open.
    [[nodiscard]] std::shared_ptr<lw::MapSession> maps() const { return m_maps; }
    [[nodiscard]] const lw::MapsInfo* mapsInfo() const { return m_maps ? &m_mapsInfo : nullptr; }
    [[nodiscard]] QString mapsRun() const { return m_maps ? m_mapsRun : QString(); }  ///< key of the run the maps are of
    [[nodiscard]] bool mapsOpening() const { return m_mapsOpening; }
    [[nodiscard]] const QString& mapsError() const { return m_mapsError; }  ///< why the last opening failed, "" = it did not
    /// The query clamped into the open text; -1 when no maps are open.
    [[nodiscard]] std::int64_t effectiveQuery() const;
    void setTokenShade(const TokenShade& shade);
    [[nodiscard]] const TokenShade& tokenShade() const { return m_shade; }

    // Verbs --------------------------------------------------------------------------------------------------------------
    /// Queues an evaluation per run, without settings by each run's own; evaluationChanged after each finished length.
    void evaluateRuns(const QStringList& keys, const std::optional<lw::EvaluationSpec>& spec = std::nullopt);
    /// Puts plug-in methods on a trained run's weights: a new run of the workspace, which is shown and evaluated like the trained one.
    void extendRun(const RunEntry& run, const lw::SchemeSpec& extension);
    JobId evaluateFolder(const std::filesystem::path& folder, const QString& title, const lw::EvaluationSpec& spec);
    /// What evaluations that still run have so far, by key of the run and protocol. Finished ones are read from their folder.
    using FreshKey = std::pair<QString, std::string>;
    [[nodiscard]] const std::map<FreshKey, lw::Evaluation>& freshEvaluations() const { return m_fresh; }
    void showPage(PageId page) { Q_EMIT pageRequested(page); }
    void requestRecipe(const lw::Recipe& recipe) { Q_EMIT recipeRequested(recipe); }
    /// The Train page with this scheme in its recipe; everything else of the recipe stays.
    void requestScheme(const lw::SchemeSpec& scheme) { Q_EMIT schemeRequested(scheme); }
    void setDetails(const QString& key, const DetailSection& section);
    /// The run that the details describe while the shown page is about another one than the current: its key, "" = none has to be, nothing = the
    /// current run again, as when another run is chosen.
    void setDetailsRun(const std::optional<QString>& key);
    [[nodiscard]] const RunEntry* detailsRun() const { return m_detailsRun ? findRun(*m_detailsRun) : currentRun(); }
    [[nodiscard]] const std::map<QString, DetailSection>& details() const { return m_details; }
    /// Deletes a run folder of the workspace; what still reads it and finds nothing is no news from then on.
    [[nodiscard]] lw::Status deleteRun(const std::filesystem::path& folder);
    void forgetRun(const std::filesystem::path& folder);
    /// Shown in the message bar. `context` says what was being done ("Evaluating DAPE-Kerple").
    void report(const lw::Error& error, const QString& context = {});
    void notice(const QString& text);
    void offer(const Offer& offer) { Q_EMIT offerMade(offer); }
    /// The window closes: what is cancelled from now on was not cancelled by a person.
    void setClosing(bool closing) { m_closing = closing; }
    [[nodiscard]] bool closing() const { return m_closing; }

Q_SIGNALS:
    void workspaceChanged();
    void runsChanged();                         ///< list, titles or numbers; also after shown and current changed by a reload
    void shownRunsChanged();
    void currentRunChanged();
    void lengthChanged(qint64 length);
    void headChanged(qint64 layer, qint64 head);
    void queryChanged(qint64 query);
    void partChanged();
    void textRequestChanged();                  ///< also when only the length changed
    void mapsStale();                           ///< run or text changed: seen pages call ensureMaps()
    void mapsChanged();                         ///< opening began, failed, or a new map session is there
    void tokenShadeChanged();
    void evaluationChanged(const QString& key);
    void detailsChanged();
    void detailsRunChanged();
    void pageRequested(lw::ui::PageId page);
    void recipeRequested(const lw::Recipe& recipe);
    void schemeRequested(const lw::SchemeSpec& scheme);
    void presetsChanged();
    void errorReported(const lw::Error& error, const QString& context);
    void noticeGiven(const QString& text);
    void offerMade(const lw::ui::Offer& offer);

private:
    void restore();
    void adoptRuns(std::vector<lw::RunInfo> demo, lw::RunList list, const QString& select);
    [[nodiscard]] std::vector<int> stylesOf(const std::vector<lw::RunInfo>& runs) const;
    [[nodiscard]] bool ofDeletedRun(const lw::Error& error) const;
    void adoptPresets(std::vector<lw::SchemePreset> presets);
    void offerUndo(const lw::RunInfo& made, const QString& baseKey, const QString& baseTitle, JobId evaluation);
    void markMapsStale();
    void openMaps();
    void findEvaluations(RunEntry& run) const;

    std::unique_ptr<QSettings> m_settings;
    std::filesystem::path m_workspace;
    bool m_demo = true;
    std::vector<RunEntry> m_runs;
    std::vector<lw::SchemePreset> m_presets;
    std::vector<std::string> m_problems;  ///< of the last reading
    QString m_currentRun;
    lw::TextRequest m_text;
    std::int64_t m_layer = 0;
    std::int64_t m_head = 0;
    std::int64_t m_query = -1;
    std::int64_t m_step = -1;
    bool m_closing = false;
    std::vector<std::string> m_deleted;  ///< folders of runs that a person deleted
    lw::ScorePart m_part = lw::ScorePart::probability;
    std::shared_ptr<lw::MapSession> m_maps;
    lw::MapsInfo m_mapsInfo;
    QString m_mapsRun;
    QString m_mapsError;
    bool m_mapsOpening = false;
    bool m_mapsStale = true;
    TokenShade m_shade;
    std::map<FreshKey, lw::Evaluation> m_fresh;
    std::map<QString, DetailSection> m_details;
    std::optional<QString> m_detailsRun;
    std::unique_ptr<ComputeThread> m_compute;  ///< last: stopped before the rest goes
};

}  // namespace lw::ui

Q_DECLARE_METATYPE(lw::ui::PageId)
