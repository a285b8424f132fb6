/// See screenshots.h; what is drawn is in screenshot_list.cpp.
#include "ui/screenshots.h"

#include "ui/main_window.h"
#include "ui/screenshot_list.h"
#include "ui/theme.h"

#include <QApplication>
#include <QDialog>
#include <QElapsedTimer>
#include <QPixmap>
#include <QSize>
#include <QThread>
#include <QTimer>

#include <array>

namespace lw::ui {

namespace {

constexpr int kLayouts = 20;
constexpr int kQuiet = 250;     // ms without any job: timers of pages have fired and asked for what they need
constexpr int kLongest = 120000;
constexpr int kLook = 100;      // ms between looks at a dialog
constexpr int kLooks = 6;       // at which it stands still: its preview is drawn by then
constexpr std::array<QSize, 2> kSizes = {QSize(1600, 1000), QSize(1024, 700)};

/// The dialog that `open` shows, which is closed again; null where there is nothing to ask about, and none came.
QPixmap grabDialog(Session& session, MainWindow& window, void (*open)(MainWindow&)) {
    QPixmap picture;
    int quiet = 0;
    QTimer looks;
    QObject::connect(&looks, &QTimer::timeout, &looks, [&] {
        auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
        if (dialog == nullptr || !session.compute().idle() || ++quiet < kLooks) return;
        looks.stop();
        picture = dialog->grab();
        dialog->reject();
    });
    looks.start(kLook);
    open(window);
    return picture;
}

QString fileName(const char* name, bool dark, const QPixmap& picture) {
    const qreal ratio = picture.devicePixelRatio();
    const QSize size = (QSizeF(picture.size()) / ratio).toSize();
    const QString scale = ratio > 1 ? QStringLiteral("@%1x").arg(ratio) : QString();
    return QStringLiteral("%1-%2-%3x%4%5.png").arg(QLatin1String(name), dark ? QStringLiteral("dark") : QStringLiteral("light")).arg(size.width()).arg(size.height()).arg(scale);
}

}  // namespace

void waitForJobs(Session& session) {
    QElapsedTimer total, quiet;
    total.start();
    quiet.start();
    while (quiet.elapsed() < kQuiet && total.elapsed() < kLongest) {
        QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
        if (!session.compute().idle()) quiet.restart();
        QThread::msleep(5);
    }
    // On a busy machine that may have been a handful of rounds, and each layout asks its parent's for another.
    for (int round = 0; round < kLayouts; ++round) QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
}

lw::Result<int> saveScreenshots(Session& session, MainWindow& window, const std::filesystem::path& folder, bool empty) {
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    if (failure) return lw::Error{lw::ErrorKind::io, "The folder " + folder.string() + " cannot be made: " + failure.message() + "."};
    // Not what lies in the folder of this machine's last export.
    session.settings().setValue(QStringLiteral("export/folder"), QString::fromStdString(session.workspace().string()));
    window.show();
    int saved = 0;
    for (const bool dark : {false, true}) {
        theme::apply(dark);
        for (const QSize size : kSizes) {
            window.resize(size);
            window.resetLayout();
            for (const Shot& shot : empty ? emptyShots() : demoShots()) {
                if (shot.dialog != nullptr && size != kSizes.front()) continue;  // it has a size of its own
                window.showPage(shot.page);
                if (shot.prepare != nullptr) shot.prepare(session, window);
                waitForJobs(session);
                const QPixmap picture = shot.dialog != nullptr ? grabDialog(session, window, shot.dialog) : window.grab();
                if (picture.isNull()) continue;
                const auto file = folder / fileName(shot.name, dark, picture).toStdString();
                if (!picture.save(QString::fromStdString(file.string()))) return lw::Error{lw::ErrorKind::io, "The picture " + file.string() + " could not be written."};
                ++saved;
            }
        }
    }
    return saved;
}

}  // namespace lw::ui
