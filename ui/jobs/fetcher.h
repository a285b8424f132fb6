#pragma once
/// Fetches corpora, each on a thread of its own: a download needs no LibTorch and must not wait behind a training run.

#include "core/api/text.h"

#include <QObject>
#include <QString>

#include <map>
#include <thread>

namespace lw::ui {

class Fetcher : public QObject {
    Q_OBJECT
public:
    explicit Fetcher(QObject* parent = nullptr) : QObject(parent) {}
    /// Stops what is under way and waits for it: nothing half fetched is kept.
    ~Fetcher() override;
    void start(const std::string& id);
    void cancel(const std::string& id);
    [[nodiscard]] bool fetching(const std::string& id) const { return m_running.contains(id); }
    /// "2 of 4 steps", "" before the first report.
    [[nodiscard]] QString progress(const std::string& id) const;

Q_SIGNALS:
    void progressed(const std::string& id);
    void ended(const std::string& id, const lw::Status& status);

private:
    struct Fetch {
        QString progress;
        std::jthread thread;
    };
    void run(const std::string& id, const std::stop_token& stop);

    std::map<std::string, Fetch> m_running;
};

}  // namespace lw::ui
