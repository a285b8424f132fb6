/// The Encodings page and the selected run: its scheme in the form, plug-in methods on its weights.
#include "tests/ui/ui_support.h"
#include "ui/forms/scheme_form.h"
#include "ui/main_window.h"
#include "ui/pages/encodings_page.h"
#include "ui/panels/message_bar.h"
#include "ui/screenshots.h"

#include <QMenu>
#include <QToolButton>

using namespace lw;
using namespace lw::ui;
using lw::test::eventually;
using lw::test::SessionFixture;

namespace {

struct EncodingsFixture : SessionFixture {
    EncodingsFixture() : window(std::make_unique<MainWindow>(session.get())) {
        window->show();
        window->showPage(PageId::encodings);
        waitForJobs(*session);
        for (const RunEntry& run : session->runs())
            if (run.title() == QStringLiteral("RoPE")) rope = run.key;
        REQUIRE_FALSE(rope.isEmpty());
        session->setCurrentRun(rope);
    }
    EncodingsPage* page() { return static_cast<EncodingsPage*>(window->page(PageId::encodings)); }
    void show(const char* id) {
        page()->schemeForm()->setScheme(find_scheme(id).value());
        Q_EMIT page()->schemeForm()->edited();
    }
    /// The actions of the page's run menu as they stand when it is opened.
    QList<QAction*> runMenu() {
        QMenu* menu = page()->findChild<QToolButton*>(QStringLiteral("runMenu"))->menu();
        Q_EMIT menu->aboutToShow();
        return menu->actions();
    }
    std::unique_ptr<MainWindow> window;
    QString rope;
};

}  // namespace

TEST_CASE("the selected run's scheme comes into the form", "[ui][encodings]") {
    EncodingsFixture f;
    f.show("alibi");
    const auto actions = f.runMenu();
    CHECK(actions[0]->text().contains(QStringLiteral("RoPE")));
    actions[0]->trigger();
    CHECK(f.page()->schemeForm()->scheme().slots.at("rotation").id == "rope");
}

TEST_CASE("a scheme goes onto a run's weights only where it can, and the menu says why not", "[ui][encodings]") {
    EncodingsFixture f;
    f.show("rope");
    CHECK_FALSE(f.runMenu()[1]->isEnabled());
    CHECK(f.runMenu()[1]->toolTip().contains(QStringLiteral("trained with")));
    f.show("alibi");
    CHECK_FALSE(f.runMenu()[1]->isEnabled());
    f.show("rope-yarn");
    CHECK(f.runMenu()[1]->isEnabled());
}

TEST_CASE("an extended run appears, is selected and evaluated beside the run it reads", "[ui][encodings]") {
    EncodingsFixture f;
    f.show("rope-yarn");
    const auto before = f.session->runs().size();
    f.runMenu()[1]->trigger();
    REQUIRE(eventually([&] { return f.session->runs().size() == before + 1 && !f.session->currentRun()->protocols.isEmpty(); }));
    CHECK(f.session->currentRun()->info.base.string() == f.rope.toStdString());
    CHECK(f.session->currentRun()->shown);
    CHECK(f.window->currentPage() == PageId::curves);
    // An extension is no ground for another one.
    f.window->showPage(PageId::encodings);
    CHECK(f.runMenu()[1]->toolTip().contains(QStringLiteral("another run's weights")));
}
