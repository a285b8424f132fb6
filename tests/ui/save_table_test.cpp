/// Numbers of a page in a file without a picture.
#include "tests/ui/ui_support.h"
#include "ui/forms/save_table.h"

#include <QFile>
#include <QSignalSpy>

using namespace lw::ui;
using lw::test::SessionFixture;

TEST_CASE("a table is written as it is, and its folder is remembered", "[ui][forms]") {
    const SessionFixture f;
    const QSignalSpy notices(f.session.get(), &Session::noticeGiven), errors(f.session.get(), &Session::errorReported);
    writeTable(f.folder.filePath(QStringLiteral("places")), "layer,head\n0,3\n", f.session.get());
    QFile file(f.folder.filePath(QStringLiteral("places.csv")));
    REQUIRE(file.open(QIODevice::ReadOnly));
    CHECK(file.readAll() == QByteArray("layer,head\n0,3\n"));
    REQUIRE(notices.size() == 1);
    CHECK(notices[0][0].toString() == QStringLiteral("Saved places.csv."));
    CHECK(QFileInfo(f.session->settings().value(QStringLiteral("export/folder")).toString()) == QFileInfo(f.folder.path()));
    writeTable(f.folder.filePath(QStringLiteral("no such folder/places.csv")), "layer\n", f.session.get());
    CHECK(errors.size() == 1);
    CHECK(notices.size() == 1);
}
