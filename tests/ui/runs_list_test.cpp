/// The list of runs: its model, headings of seeds, and room for names.
#include "tests/ui/ui_support.h"
#include "ui/models/runs_model.h"
#include "ui/panels/run_delegate.h"
#include "ui/panels/runs_panel.h"
#include "ui/theme.h"

#include <QAbstractItemModelTester>
#include <QFontMetrics>
#include <QLabel>
#include <QListView>
#include <QSignalSpy>

using namespace lw;
using namespace lw::ui;
using lw::test::SessionFixture;

TEST_CASE("the list of runs is a sound model and its tick changes the session", "[ui][panels]") {
    SessionFixture f;
    RunsModel model(f.session.get());
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    f.session->reloadRuns();
    REQUIRE(model.rowCount() == 9);  // recipes
    const QModelIndex row = model.index(2);
    const QString key = row.data(RunsModel::KeyRole).toString();
    CHECK(row.data(Qt::CheckStateRole).toInt() == Qt::Checked);
    model.setData(row, Qt::Unchecked, Qt::CheckStateRole);
    CHECK_FALSE(f.session->findRun(key)->shown);
    CHECK(row.data(RunsModel::SubtitleRole).toString() == "L 128 · seed 1");
    CHECK(model.indexOf(key) == row);
    CHECK_FALSE(model.indexOf("none").isValid());
}

namespace {

QModelIndex headingOf(const RunsModel& model, const QString& title) {
    for (int r = 0; r < model.rowCount(); ++r)
        if (model.index(r).data().toString() == title && model.index(r).data(RunsModel::KindRole).toInt() == static_cast<int>(RunsModel::Kind::heading)) return model.index(r);
    return {};
}

}  // namespace

TEST_CASE("seeds of a recipe stand under one heading, which opens", "[ui][panels]") {
    SessionFixture f;
    f.session->reloadRuns();
    RunsModel model(f.session.get());
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    QModelIndex heading = headingOf(model, QStringLiteral("Kerple"));
    REQUIRE(heading.isValid());
    CHECK(heading.data(RunsModel::SubtitleRole).toString() == QStringLiteral("L 128 · 3 seeds"));
    CHECK(heading.data(Qt::ToolTipRole).toString().contains(QStringLiteral("the mean of 3 runs")));
    CHECK_FALSE(heading.data(RunsModel::OpenRole).toBool());
    const QStringList keys = heading.data(RunsModel::KeysRole).toStringList();
    REQUIRE(keys.size() == 3);
    CHECK(model.indexOf(keys[1]) == heading);

    const QSignalSpy shown(f.session.get(), &Session::shownRunsChanged);
    CHECK(model.setData(heading, Qt::Unchecked, Qt::CheckStateRole));
    CHECK(shown.size() == 1);  // plots are drawn once
    CHECK(heading.data(Qt::CheckStateRole).toInt() == Qt::Unchecked);
    f.session->setShown(keys[0], true);
    CHECK(heading.data(Qt::CheckStateRole).toInt() == Qt::PartiallyChecked);

    const int row = heading.row(), before = model.rowCount();
    CHECK(model.setData(heading, true, RunsModel::OpenRole));
    CHECK(model.rowCount() == before + 3);
    CHECK(model.index(row + 1).data().toString() == QStringLiteral("seed 1"));
    CHECK(model.indexOf(keys[2]).row() == row + 3);
    const RunsModel next(f.session.get());  // at the next start
    CHECK(next.rowCount() == before + 3);
    CHECK(model.setData(model.index(row), false, RunsModel::OpenRole));
    CHECK(model.rowCount() == before);
}

TEST_CASE("a closed heading stands for the seed that is chosen", "[ui][panels]") {
    SessionFixture f;
    f.session->reloadRuns();
    RunsPanel panel(f.session.get());
    auto* view = panel.findChild<QListView*>(QStringLiteral("runsView"));
    const auto* model = static_cast<RunsModel*>(view->model());
    const QStringList keys = headingOf(*model, QStringLiteral("Kerple")).data(RunsModel::KeysRole).toStringList();
    f.session->setCurrentRun(keys[2]);
    CHECK(view->currentIndex() == headingOf(*model, QStringLiteral("Kerple")));
    CHECK(view->currentIndex().data(RunsModel::KeyRole).toString() == keys[2]);
    QTest::keyClick(view, Qt::Key_Right);
    CHECK(view->currentIndex().data().toString() == QStringLiteral("seed 3"));
    CHECK(f.session->currentRun()->key == keys[2]);
    QTest::keyClick(view, Qt::Key_Left);
    CHECK(view->currentIndex() == headingOf(*model, QStringLiteral("Kerple")));
    CHECK(f.session->currentRun()->key == keys[2]);
    CHECK(panel.findChild<QLabel*>(QStringLiteral("runsCaption"))->text() == QStringLiteral("validation perplexity"));
}

TEST_CASE("a narrow list of runs has room for a run's whole name", "[ui][panels]") {
    const QRect row(0, 0, 180, 40);
    CHECK(RunDelegate::titleRect(row).width() >= QFontMetrics(theme::body()).horizontalAdvance(QStringLiteral("DAPE-Kerple")));
    CHECK(row.contains(RunDelegate::titleRect(row)));
}

TEST_CASE("a list of runs that scrolls keeps the whole second line of a usual run", "[ui][panels]") {
    const QRect wide(0, 0, RunDelegate::usualWidth(), 40), scrolled(0, 0, RunDelegate::usualWidth() - 10, 40);
    const int line = QFontMetrics(theme::caption()).horizontalAdvance(QStringLiteral("L 128 · seed 1"));
    const int value = QFontMetrics(theme::caption()).horizontalAdvance(QStringLiteral("33.7"));
    CHECK(RunDelegate::titleRect(wide).width() == RunDelegate::titleRect(scrolled).width());
    CHECK(RunDelegate::titleRect(scrolled).width() >= line + value);
    CHECK(scrolled.contains(RunDelegate::titleRect(scrolled)));
    SessionFixture f;
    const RunsPanel panel(f.session.get());
    CHECK(panel.minimumWidth() >= RunDelegate::usualWidth());
}
