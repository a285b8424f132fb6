#pragma once
/// Training runs from the window: queues recipes, follows the one that runs, hands out its log and a live map.

#include "ui/jobs/mailbox.h"
#include "ui/session.h"

namespace lw::ui {

class Training : public QObject {
    Q_OBJECT
public:
    explicit Training(Session* session, QObject* parent = nullptr);

    /// Queues it; evaluates at the end when asked to.
    void start(const lw::Recipe& recipe, bool evaluateAfter);
    void resume(const RunEntry& run, bool evaluateAfter);
    /// Ends the running one after its step: what was computed is kept.
    void stop();

    [[nodiscard]] bool running() const { return m_running != 0; }
    [[nodiscard]] bool stopping() const { return m_stopping; }
    [[nodiscard]] const lw::RunInfo& run() const { return m_run; }
    [[nodiscard]] const std::vector<lw::LogPoint>& log() const { return m_log; }
    [[nodiscard]] const std::optional<lw::MapTile>& liveMap() const { return m_map; }
    void setLiveMap(const lw::LiveMapRequest& request);
    [[nodiscard]] lw::LiveMapRequest liveMapRequest() const;

Q_SIGNALS:
    void started();   ///< a run folder exists
    void logGrown();
    void mapChanged();
    void ended(bool good);

private:
    using Work = std::function<lw::Result<lw::RunInfo>(const lw::RunContext&, const lw::TrainHooks&)>;
    void queue(const QString& title, Work work, bool evaluateAfter);
    void begin(const lw::RunInfo& run);
    void finish(const QString& title, lw::Result<lw::RunInfo> run, bool evaluateAfter);

    Session* m_session;
    std::shared_ptr<Mailbox<std::vector<lw::LogPoint>>> m_logBox;
    std::shared_ptr<Mailbox<std::optional<lw::MapTile>>> m_mapBox;
    /// What the compute thread reads once per step. Shared, because a job may outlive the page that started it.
    struct Live {
        std::mutex mutex;
        lw::LiveMapRequest request;
    };
    std::shared_ptr<Live> m_live = std::make_shared<Live>();
    JobId m_running = 0;
    bool m_stopping = false;
    lw::RunInfo m_run;
    std::vector<lw::LogPoint> m_log;
    std::optional<lw::MapTile> m_map;
};

}  // namespace lw::ui
