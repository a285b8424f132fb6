#include "app/cli/render.h"

#include <QApplication>

#include <QDir>
#include <QFile>

#include <cstdlib>

namespace lw::cli {
namespace {

/// Qt warns where no runtime folder is set, as on a server: it gets one of its own.
void give_runtime_folder() {
    if (qEnvironmentVariableIsSet("XDG_RUNTIME_DIR")) return;
    const QString folder = QDir::temp().filePath(QStringLiteral("lengthwise-%1").arg(QCoreApplication::applicationPid()));
    QDir().mkpath(folder);
    QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    qputenv("XDG_RUNTIME_DIR", folder.toLocal8Bit());
    std::atexit([] { QDir(qEnvironmentVariable("XDG_RUNTIME_DIR")).removeRecursively(); });
}

}  // namespace

void prepare_drawing() {
    static int count = 1;
    static char name[] = "lengthwise-cli";
    static char* arguments[] = {name, nullptr};
    // No window is shown, so no display is asked for, also where there is one: the pictures are the same everywhere.
    qputenv("QT_QPA_PLATFORM", "offscreen");
    give_runtime_folder();
    static QApplication application(count, arguments);
}

}  // namespace lw::cli
