/// main() of the window's tests: offscreen, Fusion, settings of its own, and any Qt warning fails the test it appears in.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include "tests/support/qt_warnings.h"

#include <QApplication>
#include <QDir>
#include <QStandardPaths>
#include <QStyleFactory>

namespace {

/// After each test case nothing may have been warned.
struct NoWarnings : Catch::TestEventListenerBase {
    using TestEventListenerBase::TestEventListenerBase;
    void testCaseStarting(const Catch::TestCaseInfo&) override { lw::test::takeQtWarnings(); }
    void sectionEnded(const Catch::SectionStats& stats) override {
        TestEventListenerBase::sectionEnded(stats);
        for (const QString& warning : lw::test::takeQtWarnings()) {
            std::fprintf(stderr, "Qt warning in \"%s\": %s\n", stats.sectionInfo.name.c_str(), qPrintable(warning));
            lw::test::countWarning();
        }
    }
};
CATCH_REGISTER_LISTENER(NoWarnings)

}  // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    const QString runtime = QDir::tempPath() + QStringLiteral("/lengthwise-test-runtime");
    if (qEnvironmentVariableIsEmpty("XDG_RUNTIME_DIR") || !QDir().exists(qEnvironmentVariable("XDG_RUNTIME_DIR"))) {
        QDir().mkpath(runtime);
        QFile::setPermissions(runtime, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qputenv("XDG_RUNTIME_DIR", runtime.toLocal8Bit());
    }
    QStandardPaths::setTestModeEnabled(true);
    QApplication application(argc, argv);
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    lw::test::watchQtWarnings();
    const int failed = Catch::Session().run(argc, argv);
    return failed != 0 ? failed : lw::test::warningCount() != 0 ? 1 : 0;
}
