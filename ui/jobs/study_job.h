#pragma once
/// Studies that the window works on: one long job each, whose steps leave room for maps and other short jobs.

#include "core/api/study.h"
#include "ui/jobs/mailbox.h"
#include "ui/session.h"

#include <atomic>
#include <vector>

namespace lw::ui {

/// How far the cell in work is, between two looks at the study's runs.
struct StudyLive {
    std::string run;            ///< id of the run that is trained; "" = none
    std::int64_t step = 0;
    std::string cell;           ///< id of the cell that is measured; "" = none
    std::int64_t measured = 0;  ///< its lengths so far
};

class StudyJob : public QObject {
    Q_OBJECT
public:
    explicit StudyJob(Session* session, QObject* parent = nullptr);

    /// Queues it behind the long jobs that wait already; nothing where it is queued or runs.
    void start(const QString& study, const QString& name);
    /// Ends it after the step in work: the cell keeps its checkpoint or its lengths, and start() goes on from there.
    void pause(const QString& study);

    /// Of the workspace that is open.
    [[nodiscard]] bool has(const QString& study) const { return find(study) != nullptr; }
    [[nodiscard]] bool waits(const QString& study) const;
    [[nodiscard]] bool pausing(const QString& study) const;
    [[nodiscard]] const StudyLive& live() const { return m_live; }

Q_SIGNALS:
    void changed(const QString& study);  ///< it began or ended, or one of its cells came further
    void stepped(const QString& study);  ///< only live() changed

private:
    struct Item {
        std::filesystem::path workspace;
        QString study, name;
        JobId id = 0;
        bool begun = false, pausing = false, ended = false;
        std::atomic<bool> stopped = false;  ///< it ended because it was asked to; set by the compute thread
    };
    using ItemPointer = std::shared_ptr<Item>;

    [[nodiscard]] const Item* find(const QString& study) const;
    [[nodiscard]] lw::StudyHooks hooks(const ItemPointer& item);
    void begin(const ItemPointer& item);
    void cellChanged(const ItemPointer& item);
    void finish(const ItemPointer& item, const lw::Result<lw::StudyStatus>& status);
    void tell(const Item& item, const lw::StudyStatus& status);

    Session* m_session;
    std::shared_ptr<Mailbox<StudyLive>> m_liveBox;
    std::vector<ItemPointer> m_items;
    StudyLive m_live;
};

/// What a person is told when the work on a study ended; `stopped`: because it was asked to.
[[nodiscard]] QString endSentence(const QString& name, const lw::StudyStatus& status, bool stopped);

}  // namespace lw::ui
