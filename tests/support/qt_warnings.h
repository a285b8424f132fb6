#pragma once
/// Collects what Qt warns about, so that tests can fail on it.

#include <QMutex>
#include <QStringList>

#include <atomic>

namespace lw::test {

namespace detail {
inline QMutex mutex;
inline QStringList warnings;
inline std::atomic<int> count{0};

inline void collect(QtMsgType type, const QMessageLogContext&, const QString& text) {
    if (type == QtDebugMsg || type == QtInfoMsg) return;
    if (text.startsWith(QStringLiteral("This plugin does not support"))) return;  // what the offscreen platform cannot do: every window and menu asks
    const QMutexLocker lock(&mutex);
    warnings << text;
}
}  // namespace detail

inline void watchQtWarnings() { qInstallMessageHandler(detail::collect); }

inline QStringList takeQtWarnings() {
    const QMutexLocker lock(&detail::mutex);
    QStringList taken;
    taken.swap(detail::warnings);
    return taken;
}

inline void countWarning() { ++detail::count; }
inline int warningCount() { return detail::count; }

}  // namespace lw::test
