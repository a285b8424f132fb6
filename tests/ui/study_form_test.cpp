/// The form of a new study on the fake laboratory.
#include "tests/ui/ui_support.h"
#include "ui/forms/number_list.h"
#include "ui/forms/study_form.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>

using namespace lw;
using namespace lw::ui;
using lw::test::eventually;
using lw::test::SessionFixture;

TEST_CASE("the form counts the runs of a study and refuses what is none", "[ui][studies]") {
    const SessionFixture f;
    StudySpec start = usualStudy();
    start.schemes = {find_scheme("alibi").value(), find_scheme("rope").value()};
    StudyDialog dialog(f.session.get(), start, {QStringLiteral("Study 1")});
    const auto find = [&](const char* name) { return dialog.findChild<QLabel*>(QString::fromLatin1(name)); };
    auto* seeds = dialog.findChild<QLineEdit*>(QStringLiteral("studySeeds"));
    auto* add = dialog.findChild<QPushButton*>(QStringLiteral("addStudy"));
    CHECK(dialog.spec().name == "Study 2");
    REQUIRE(eventually([&] { return find("studyTakes")->text() == QStringLiteral("6 runs, about 6 min, needs 310 MB of 18 GB"); }));
    seeds->setText(QStringLiteral("1-5"));
    REQUIRE(eventually([&] { return find("studyTakes")->text().startsWith(QStringLiteral("10 runs")); }));
    CHECK(dialog.spec().seeds == std::vector<std::uint64_t>{1, 2, 3, 4, 5});
    CHECK(add->isEnabled());
    seeds->setText(QStringLiteral("one"));
    REQUIRE(eventually([&] { return !add->isEnabled(); }));
    CHECK(find("studyRemarks")->text().contains(QStringLiteral("seeds is “one”")));
    seeds->setText(QStringLiteral("1"));
    dialog.findChild<QSpinBox*>(QStringLiteral("studyHeads"))->setValue(7);
    REQUIRE(eventually([&] { return find("studyRemarks")->text().contains(QStringLiteral("not a multiple")); }));
    CHECK_FALSE(dialog.findChild<QPushButton*>(QStringLiteral("addAndRun"))->isEnabled());
}

TEST_CASE("numbers are read from lists and ranges", "[ui][studies]") {
    CHECK(numbersFrom(QStringLiteral("1, 2 5 - 7; 2")) == std::vector<std::int64_t>{1, 2, 5, 6, 7});
    CHECK(numbersFrom(QString()) == std::vector<std::int64_t>{});
    for (const char* wrong : {"1,x", "-3", "5-2", "1-100000", "1.5"}) CHECK_FALSE(numbersFrom(QString::fromLatin1(wrong)));
}
