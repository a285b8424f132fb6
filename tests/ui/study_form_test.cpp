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
    StudyDialog dialog(f.session.get(), start, {{QStringLiteral("study-1"), QStringLiteral("Study 1")}});
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

TEST_CASE("a name whose folder is taken by another study is refused, and the same name says that it replaces", "[ui][studies]") {
    const SessionFixture f;
    StudySpec start = usualStudy();
    start.schemes = {find_scheme("alibi").value()};
    StudyDialog dialog(f.session.get(), start, {{QStringLiteral("study-1"), QStringLiteral("Study 1")}});
    auto* name = dialog.findChild<QLineEdit*>(QStringLiteral("studyName"));
    const auto* add = dialog.findChild<QPushButton*>(QStringLiteral("addStudy"));
    const auto* remarks = dialog.findChild<QLabel*>(QStringLiteral("studyRemarks"));
    for (const char* other : {"Study-1", "study 1", " STUDY  1!"}) {
        name->setText(QString::fromLatin1(other));
        CHECK(dialog.problem().contains(QStringLiteral("is that of the study “Study 1”")));
        REQUIRE(eventually([&] { return !add->isEnabled(); }));
    }
    name->setText(QStringLiteral("Study 1"));
    REQUIRE(eventually([&] { return add->isEnabled(); }));
    CHECK(remarks->text().contains(QStringLiteral("It is replaced; its runs stay.")));
    name->setText(QStringLiteral("Study 11"));
    REQUIRE(eventually([&] { return !remarks->text().contains(QStringLiteral("It is replaced")); }));
    CHECK(dialog.problem().isEmpty());
    name->setText(QStringLiteral("…"));
    CHECK(dialog.problem().contains(QStringLiteral("at least one letter or digit")));
}

TEST_CASE("Enter right after typing is checked before the study is added", "[ui][studies]") {
    const SessionFixture f;
    StudySpec start = usualStudy();
    start.schemes = {find_scheme("alibi").value()};
    StudyDialog dialog(f.session.get(), start, {});
    dialog.show();
    auto* seeds = dialog.findChild<QLineEdit*>(QStringLiteral("studySeeds"));
    auto* heads = dialog.findChild<QSpinBox*>(QStringLiteral("studyHeads"));
    auto* run = dialog.findChild<QPushButton*>(QStringLiteral("addAndRun"));
    REQUIRE(eventually([&] { return run->isEnabled(); }));
    seeds->setText(QStringLiteral("one"));
    run->click();  // what Enter does
    CHECK(dialog.isVisible());
    CHECK_FALSE(run->isEnabled());
    seeds->setText(QStringLiteral("1"));
    REQUIRE(eventually([&] { return run->isEnabled(); }));
    const int before = heads->value();
    heads->setValue(7);
    run->click();
    CHECK(dialog.isVisible());  // the width is not a multiple of 7
    heads->setValue(before);
    REQUIRE(eventually([&] { return run->isEnabled(); }));
    seeds->setText(QStringLiteral("4, 5"));
    run->click();
    CHECK_FALSE(dialog.isVisible());
    CHECK(dialog.result() == QDialog::Accepted);
    CHECK(dialog.runAfter());
    CHECK(dialog.spec().seeds == std::vector<std::uint64_t>{4, 5});
}

TEST_CASE("numbers are read from lists and ranges", "[ui][studies]") {
    CHECK(numbersFrom(QStringLiteral("1, 2 5 - 7; 2")) == std::vector<std::int64_t>{1, 2, 5, 6, 7});
    CHECK(numbersFrom(QString()) == std::vector<std::int64_t>{});
    for (const char* wrong : {"1,x", "-3", "5-2", "1-100000", "1.5"}) CHECK_FALSE(numbersFrom(QString::fromLatin1(wrong)));
}
