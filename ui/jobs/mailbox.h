#pragma once
/// Newest-value box between the compute thread and the window: put() from any thread, delivered at most 30 times a second,
/// the last value always. A flood of results costs one wake-up of the window per 33 ms.

#include "ui/jobs/compute_thread.h"

#include <QTimer>

namespace lw::ui {

template <class T>
class Mailbox : public std::enable_shared_from_this<Mailbox<T>> {
public:
    static std::shared_ptr<Mailbox> create(ComputeThread* thread, QObject* receiver, std::function<void(T)> deliver) {
        auto box = std::shared_ptr<Mailbox>(new Mailbox);
        box->m_thread = thread;
        box->m_receiver = receiver;
        box->m_deliver = std::move(deliver);
        return box;
    }

    /// Replaces what was not delivered yet.
    void put(T value) {
        change([&](T& held) { held = std::move(value); });
    }

    /// Changes what was not delivered yet (appends to a list, for example).
    template <class Change>
    void change(Change&& how) {
        const std::lock_guard lock(m_mutex);
        if (!m_value) m_value.emplace();
        how(*m_value);
        if (m_pending) return;
        m_pending = true;
        m_thread->post(m_receiver, [self = this->shared_from_this()] { self->flush(); });
    }

    /// Delivers what is there now; on the window thread.
    void flush() {
        std::optional<T> value;
        {
            const std::lock_guard lock(m_mutex);
            value.swap(m_value);
            if (!value) m_pending = false;
        }
        if (!value) return;
        m_deliver(std::move(*value));
        if (!m_receiver) return;
        QTimer::singleShot(kInterval, m_receiver.data(), [self = this->shared_from_this()] { self->flush(); });
    }

private:
    Mailbox() = default;
    static constexpr int kInterval = 33;

    ComputeThread* m_thread = nullptr;
    QPointer<QObject> m_receiver;
    std::function<void(T)> m_deliver;
    std::mutex m_mutex;
    std::optional<T> m_value;
    bool m_pending = false;
};

}  // namespace lw::ui
