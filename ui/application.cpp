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
    const QCommandLineOption shots(QStringLiteral("screenshots"), QApplication::tr("Draw every page with the demo runs into a folder, light and dark, large and small, and end."), QStringLiteral("folder"));
    parser.addOptions({workspace, look, shots});
    parser.addPositionalArgument(QStringLiteral("path"), QApplication::tr("Recipe, run folder, workspace, or text to train on."), QStringLiteral("[path]"));
    parser.process(application);
    return {parser.positionalArguments().value(0), parser.value(workspace), parser.value(look), parser.value(shots)};
}

int takeScreenshots(const QString& folder) {
    const QTemporaryDir scratch;
    SessionOptions options;
    options.settingsFile = scratch.filePath(QStringLiteral("settings.ini"));
    options.workspace = scratch.filePath(QStringLiteral("workspace")).toStdString();
    std::filesystem::create_directories(options.workspace);
    Session session(options);
    MainWindow window(&session);
    const auto saved = saveScreenshots(session, window, folder.toStdString());
    if (!saved.ok()) {
        std::fprintf(stderr, "%s\n", saved.error().message.c_str());
        return 1;
    }
    std::printf("%d pictures in %s\n", saved.value(), qPrintable(folder));
    return 0;
}

}  // namespace

int runApplication(int argc, char** argv) {
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
