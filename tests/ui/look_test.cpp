/// Pictures of states that a plain start does not show, for people to look at: LW_LOOK=<folder> ui_tests "[.look]".
#include "tests/ui/ui_support.h"
#include "ui/forms/recipe_form.h"
#include "ui/forms/scheme_form.h"
#include "ui/forms/search_combo.h"
#include "ui/jobs/training.h"
#include "ui/main_window.h"
#include "ui/pages/encodings_page.h"
#include "ui/pages/train_page.h"
#include "ui/screenshots.h"
#include "ui/theme.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QPixmap>
#include <QPushButton>

using namespace lw;
using namespace lw::ui;
using lw::test::eventually;
using lw::test::SessionFixture;

namespace {

void save(QWidget& widget, const char* name, bool dark) {
    const QString folder = qEnvironmentVariable("LW_LOOK", "/tmp");
    const QString file = QStringLiteral("%1/look-%2-%3.png").arg(folder, QLatin1String(name), dark ? QStringLiteral("dark") : QStringLiteral("light"));
    CHECK(widget.grab().save(file));
}

void encodings(Session& session, MainWindow& window, bool dark) {
    auto* page = static_cast<EncodingsPage*>(window.page(PageId::encodings));
    window.showPage(PageId::encodings);
    page->schemeForm()->setScheme(find_scheme("rope-yarn").value());
    Q_EMIT page->schemeForm()->edited();
    waitForJobs(session);
    save(window, "yarn", dark);
    auto* list = page->schemeForm()->findChild<SearchCombo*>("presetCombo");
    list->showPopup();
    save(*list->completer()->popup(), "schemes", dark);
    list->completer()->popup()->hide();
    page->setView(EncodingsPage::kMaps);
    for (const char* id : {"rope-yarn", "rope-self-extend", "alibi"}) {
        page->schemeForm()->setScheme(find_scheme(id).value());
        Q_EMIT page->schemeForm()->edited();
        waitForJobs(session);
        save(window, qPrintable(QStringLiteral("maps-%1").arg(QLatin1String(id))), dark);
    }
    page->setView(EncodingsPage::kCurves);
    for (const char* id : {"alibi", "kerple", "dape-kerple"}) {
        page->schemeForm()->setScheme(find_scheme(id).value());
        Q_EMIT page->schemeForm()->edited();
        waitForJobs(session);
        if (std::string(id) != "dape-kerple") page->pin();
    }
    save(window, "pinned", dark);
    while (!page->pinned().empty()) page->unpin(0);
}

void training(Session& session, MainWindow& window, bool dark) {
    auto* page = static_cast<TrainPage*>(window.page(PageId::train));
    fake::state().step_milliseconds = 1;
    Recipe recipe;
    recipe.scheme = find_scheme("dape-kerple").value();
    recipe.training.steps = 4000;
    page->form()->setRecipe(recipe);
    window.showPage(PageId::train);
    for (int job = 0; job < 2; ++job) window.findChild<QPushButton*>("trainButton")->click();
    REQUIRE(eventually([&] { return page->training()->log().size() > 60 && page->training()->liveMap(); }));
    session.report({ErrorKind::invalid_argument, "The document has 164,402 tokens; tokens 160,000 to 168,192 are not all there. Start earlier or choose a shorter length."}, "Reading the text");
    QTest::qWait(100);
    save(window, "training", dark);
    session.compute().cancelAll();
    waitForJobs(session);
}

}  // namespace

TEST_CASE("states to look at", "[.look]") {
    for (const bool dark : {false, true}) {
        SessionFixture f(ComputeThread::Mode::thread);
        theme::apply(dark);
        MainWindow window(f.session.get());
        window.resize(1400, 900);
        window.show();
        waitForJobs(*f.session);
        encodings(*f.session, window, dark);
        training(*f.session, window, dark);
    }
}
