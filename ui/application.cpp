/// See application.h.
#include "ui/application.h"

#include "core/api/doctor.h"
#include "ui/main_window.h"
#include "ui/screenshots.h"
#include "ui/theme.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QIcon>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>

namespace lw::ui {

namespace {

struct Options {
    QString open;         ///< file or folder to open
    QString workspace;
    QString look;         ///< "light", "dark", "" = the desktop's
    QString screenshots;  ///< folder
};

Options parse(const QApplication& application) {
    QCommandLineParser parser;
    parser.setApplicationDescription(QApplication::tr("A laboratory for positional encodings and length extrapolation in transformers."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption workspace(QStringLiteral("workspace"), QApplication::tr("Folder of runs to open."), QStringLiteral("folder"));
    const QCommandLineOption look(QStringLiteral("look"), QApplication::tr("light or dark; without it, as the desktop."), QStringLiteral("look"));
    const QCommandLineOption shots(QStringLiteral("screenshots"), QApplication::tr("Draw every page, with the demo runs and without any, and dialogs into a folder, light and dark, large and small, and end."), QStringLiteral("folder"));
    parser.addOptions({workspace, look, shots});
    parser.addPositionalArgument(QStringLiteral("path"), QApplication::tr("Recipe, run folder, workspace, or text to train on."), QStringLiteral("[path]"));
    parser.process(application);
    return {parser.positionalArguments().value(0), parser.value(workspace), parser.value(look), parser.value(shots)};
}

lw::Result<int> takeScreenshots(const QString& folder, bool empty) {
    const QTemporaryDir scratch;
    SessionOptions options;
    options.settingsFile = scratch.filePath(QStringLiteral("settings.ini"));
    options.workspace = scratch.filePath(QStringLiteral("workspace")).toStdString();
    options.demo = !empty;
    std::filesystem::create_directories(options.workspace);
    Session session(options);
    MainWindow window(&session);
    return saveScreenshots(session, window, folder.toStdString(), empty);
}

/// With the demo runs, and of a workspace that has nothing.
int takeScreenshots(const QString& folder) {
    int pictures = 0;
    for (const bool empty : {false, true}) {
        const auto saved = takeScreenshots(folder, empty);
        if (!saved.ok()) {
            std::fprintf(stderr, "%s\n", saved.error().message.c_str());
            return 1;
        }
        pictures += saved.value();
    }
    std::printf("%d pictures in %s\n", pictures, qPrintable(folder));
    return 0;
}

bool hasDisplay() { return !qEnvironmentVariableIsEmpty("DISPLAY") || !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY") || !qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"); }

bool needsNoWindow(const std::vector<std::string>& arguments) {
    return std::any_of(arguments.begin(), arguments.end(), [](const std::string& argument) {
        if (argument.starts_with("--screenshots") || argument.starts_with("-screenshots")) return true;
        return argument == "-h" || argument == "--help" || argument == "--help-all" || argument == "-v" || argument == "--version";
    });
}

}  // namespace

bool choosePlatform(const std::vector<std::string>& arguments) {
#if defined(Q_OS_UNIX) && !defined(Q_OS_MACOS)
    const bool own = std::any_of(arguments.begin(), arguments.end(), [](const std::string& argument) { return argument == "-platform" || argument == "--platform"; });
    if (own || hasDisplay()) return true;
    if (!needsNoWindow(arguments)) return false;
    qputenv("QT_QPA_PLATFORM", "offscreen");
#endif
    return true;
}

int runApplication(int argc, char** argv) {
    if (!choosePlatform({argv + 1, argv + argc})) {
        std::fprintf(stderr, "lengthwise needs a display, and there is none (DISPLAY and WAYLAND_DISPLAY are not set). Without one, lengthwise-cli does the same work.\n");
        return 1;
    }
    lw::initialise();
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("Lengthwise"));
    QApplication::setApplicationVersion(QStringLiteral(LW_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("lengthwise"));
    const Options options = parse(application);
    theme::applyNamed(options.look);
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/lengthwise/lengthwise.svg")));
    if (!options.screenshots.isEmpty()) return takeScreenshots(options.screenshots);
    SessionOptions sessionOptions;
    sessionOptions.workspace = options.workspace.toStdString();
    Session session(sessionOptions);
    if (options.look.isEmpty()) theme::applyNamed(session.settings().value(QStringLiteral("look")).toString());
    MainWindow window(&session);
    window.show();
    if (!options.open.isEmpty()) window.openPath(options.open);
    return QApplication::exec();
}

}  // namespace lw::ui
