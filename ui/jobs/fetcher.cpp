/// See fetcher.h.
#include "ui/jobs/fetcher.h"

namespace lw::ui {

Fetcher::~Fetcher() {
    for (auto& [id, fetch] : m_running) fetch.thread.request_stop();
    m_running.clear();  // joins
}

void Fetcher::start(const std::string& id) {
    if (fetching(id)) return;
    Fetch& fetch = m_running[id];
    fetch.thread = std::jthread([this, id](const std::stop_token& stop) { run(id, stop); });
}

void Fetcher::cancel(const std::string& id) {
    if (const auto found = m_running.find(id); found != m_running.end()) found->second.thread.request_stop();
}

QString Fetcher::progress(const std::string& id) const {
    const auto found = m_running.find(id);
    return found == m_running.end() ? QString() : found->second.progress;
}

/// On the thread of the fetch; everything it has to say is queued to the window thread.
void Fetcher::run(const std::string& id, const std::stop_token& stop) {
    lw::RunContext context;
    context.stop = stop;
    context.progress = [this, id](const lw::Progress& progress) {
        const QString text = progress.total > 0 ? tr("%1 of %2").arg(progress.done, 0, 'f', 0).arg(progress.total, 0, 'f', 0) : QString();
        QMetaObject::invokeMethod(
            this,
            [this, id, text] {
                if (const auto found = m_running.find(id); found != m_running.end()) found->second.progress = text;
                Q_EMIT progressed(id);
            },
            Qt::QueuedConnection);
    };
    const lw::Status status = lw::fetch_corpus(id, context);
    QMetaObject::invokeMethod(
        this,
        [this, id, status] {
            m_running.erase(id);
            Q_EMIT ended(id, status);
        },
        Qt::QueuedConnection);
}

}  // namespace lw::ui
