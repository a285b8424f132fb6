#pragma once
/// Training runs from the window: queues recipes, follows the one that runs, hands out its log and a live map.

#include "ui/jobs/mailbox.h"
#include "ui/session.h"

#include <atomic>

namespace lw::ui {

class Training : public QObject {
    Q_OBJECT
public:
    explicit Training(Session* session, QObject* parent = nullptr);

    /// Queues it; evaluates at the end when asked to. Waiting recipes are kept in the settings until they begin.
    void start(const lw::Recipe& recipe, bool evaluateAfter);
    void resume(const RunEntry& run, bool evaluateAfter);
    /// Ends the running one after its step: what was computed is kept.
    void stop();
    /// Holds the running one between two steps; maps and other short jobs go on.
    void setPaused(bool paused);
    [[nodiscard]] bool paused() const { return m_live->paused; }
    /// A person looks on: the end of a run then leads on to its curves, else it is only told.
    void setFollowed(bool followed) { m_followed = followed; }

    /// From the moment a run is taken from the queue, when its text is still being read.
    [[nodiscard]] bool running() const { return m_running != 0; }
    [[nodiscard]] bool stopping() const { return m_stopping; }
    [[nodiscard]] QString title() const { return m_title; }
    [[nodiscard]] const lw::RunInfo& run() const { return m_run; }
    [[nodiscard]] const std::vector<lw::LogPoint>& log() const { return m_log; }
    [[nodiscard]] const std::optional<lw::MapTile>& liveMap() const { return m_map; }
    void setLiveMap(const lw::LiveMapRequest& request);
    [[nodiscard]] lw::LiveMapRequest liveMapRequest() const;

    /// Recipes that still waited when the program was closed last time.
    [[nodiscard]] std::size_t leftOver() const { return m_leftOver.size(); }
    void startLeftOver();
    void forgetLeftOver();

Q_SIGNALS:
    void taken();     ///< from the queue; the run folder comes later
    void started();   ///< a run folder exists
    void logGrown();
    void mapChanged();
    void ended(bool good);

private:
    using Work = std::function<lw::Result<lw::RunInfo>(const lw::RunContext&, const lw::TrainHooks&)>;
    /// What the window knows of one queued run. Only the window thread touches it.
    struct Item {
        QString title;
        std::string recipe;  ///< JSON, "" = resumes a folder that is there anyway
        bool evaluateAfter = false;
        JobId id = 0;
        bool ended = false;
    };
    using ItemPointer = std::shared_ptr<Item>;
    /// What the compute thread reads once per step. Shared, because a job may outlive the page that started it.
    struct Live {
        std::mutex mutex;
        lw::LiveMapRequest request;
        std::atomic<bool> paused{false};
    };

    void queue(const ItemPointer& item, Work work);
    [[nodiscard]] lw::TrainHooks hooks(const ItemPointer& item);
    void take(const ItemPointer& item);
    void begin(const ItemPointer& item, const lw::RunInfo& run);
    void finish(const ItemPointer& item, lw::Result<lw::RunInfo> run);
    void settle(const Item& item, const lw::RunInfo& run);
    void forget(const ItemPointer& item);
    void saveQueue();
    void readLeftOver();
    [[nodiscard]] static lw::RunContext pausing(const lw::RunContext& context, const std::shared_ptr<Live>& live);

    Session* m_session;
    std::shared_ptr<Mailbox<std::vector<lw::LogPoint>>> m_logBox;
    std::shared_ptr<Mailbox<std::optional<lw::MapTile>>> m_mapBox;
    std::shared_ptr<Live> m_live = std::make_shared<Live>();
    std::vector<ItemPointer> m_waiting;
    std::vector<Item> m_leftOver;
    JobId m_running = 0;
    bool m_stopping = false;
    bool m_followed = false;
    QString m_title;
    lw::RunInfo m_run;
    std::vector<lw::LogPoint> m_log;
    std::optional<lw::MapTile> m_map;
};

}  // namespace lw::ui
