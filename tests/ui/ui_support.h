#pragma once
/// What the window's tests share: waiting for a condition, and a session with settings of its own.

#include "tests/ui/fake_lab.h"
#include "ui/session.h"

#include <QTemporaryDir>
#include <QTest>

#include <catch2/catch.hpp>

namespace lw::test {

/// Runs the event loop until the condition holds; gives up after half a minute, so that a broken test ends.
template <class Condition>
bool eventually(Condition condition) {
    return QTest::qWaitFor(condition, 30000);
}

/// A session on fake runs; jobs run at once unless a thread is asked for.
struct SessionFixture {
    explicit SessionFixture(ui::ComputeThread::Mode mode = ui::ComputeThread::Mode::immediate) {
        fake::reset();
        ui::SessionOptions options;
        options.mode = mode;
        options.settingsFile = folder.filePath(QStringLiteral("settings.ini"));
        options.workspace = folder.filePath(QStringLiteral("workspace")).toStdString();
        std::filesystem::create_directories(options.workspace);
        session = std::make_unique<ui::Session>(options);
    }
    QTemporaryDir folder;
    std::unique_ptr<ui::Session> session;
};

}  // namespace lw::test
