/// The Encodings page and the selected run: its scheme in the form, plug-in methods on its weights.
#include "tests/ui/ui_support.h"
#include "ui/forms/param_form.h"
#include "ui/forms/recipe_form.h"
#include "ui/forms/scheme_form.h"
#include "ui/main_window.h"
#include "ui/pages/encodings_page.h"
#include "ui/pages/encodings_formula.h"
#include "ui/pages/train_page.h"
#include "ui/panels/message_bar.h"
#include "ui/plot/curve_plot.h"
#include "ui/screenshots.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>

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
    /// The actions of the page's run menu as they stand when it is opened, without the line that gives a reason.
    QList<QAction*> runMenu() {
        QMenu* menu = page()->findChild<QToolButton*>(QStringLiteral("runMenu"))->menu();
        Q_EMIT menu->aboutToShow();
        QList<QAction*> actions = menu->actions();
        actions.removeIf([](const QAction* action) { return action->objectName() == QStringLiteral("applyReason"); });
        return actions;
    }
    QAction* reason() { return page()->findChild<QToolButton*>(QStringLiteral("runMenu"))->menu()->findChild<QAction*>(QStringLiteral("applyReason")); }
    /// How many of the menu's lines are presets: all but the separator and the line for all of them.
    static qsizetype fittingRuns(const QStringList& names) {
        return std::count_if(names.begin(), names.end(), [](const QString& name) { return name.startsWith(QStringLiteral("RoPE+")); });
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
    REQUIRE(f.reason());
    CHECK(f.reason()->isVisible());
    CHECK(f.reason()->text().contains(QStringLiteral("trained with")));
    f.show("alibi");
    CHECK_FALSE(f.runMenu()[1]->isEnabled());
    f.show("rope-yarn");
    CHECK(f.runMenu()[1]->isEnabled());
    CHECK_FALSE(f.reason()->isVisible());
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
    // The same once more is the same run, and is not offered to be undone.
    f.session->setCurrentRun(f.rope);
    f.window->showPage(PageId::encodings);
    f.runMenu()[1]->trigger();
    waitForJobs(*f.session);
    CHECK(f.session->runs().size() == before + 1);
    REQUIRE(f.session->currentRun() != nullptr);
    CHECK(f.session->currentRun()->info.base.string() == f.rope.toStdString());
    // An extension is no ground for another one.
    f.window->showPage(PageId::encodings);
    CHECK(f.runMenu()[1]->toolTip().contains(QStringLiteral("another run's weights")));
}

TEST_CASE("presets that fit a run's weights stand in its menu, singly and all together", "[ui][encodings]") {
    EncodingsFixture f;
    const auto fitting = [&] { return f.runMenu()[3]->menu(); };
    QStringList names;
    for (const QAction* action : fitting()->actions()) names << action->text();
    CHECK(names.contains(QStringLiteral("RoPE+YaRN")));
    CHECK_FALSE(names.contains(QStringLiteral("ALiBi")));
    CHECK_FALSE(names.contains(QStringLiteral("RoPE")));
    const auto presets = f.fittingRuns(names);
    REQUIRE(presets > 1);
    const auto before = f.session->runs().size();
    fitting()->actions().last()->trigger();
    REQUIRE(eventually([&] { return static_cast<qsizetype>(f.session->runs().size()) == static_cast<qsizetype>(before) + presets; }));
    for (const RunEntry& run : f.session->runs())
        if (!run.info.base.empty()) CHECK(run.info.base.string() == f.rope.toStdString());
    // An extended run takes no further preset.
    CHECK_FALSE(f.runMenu()[3]->isEnabled());
    CHECK(f.runMenu()[3]->text().contains(QStringLiteral("another run's weights")));
}

TEST_CASE("an extension is undone from the message bar", "[ui][encodings]") {
    EncodingsFixture f;
    f.show("rope-yarn");
    f.session->setShown(f.rope, false);
    const auto before = f.session->runs().size();
    f.runMenu()[1]->trigger();
    REQUIRE(eventually([&] { return f.session->runs().size() == before + 1; }));
    CHECK(f.session->findRun(f.rope)->shown);  // the two are drawn side by side
    auto* bar = f.window->findChild<MessageBar*>(QStringLiteral("messageBar"));
    REQUIRE(bar->kind() == MessageBar::Kind::offer);
    auto* undo = bar->findChild<QPushButton*>(QStringLiteral("messageAction"));
    CHECK(undo->text() == QStringLiteral("Undo"));
    undo->click();
    REQUIRE(eventually([&] { return f.session->runs().size() == before; }));
    CHECK(f.session->currentRun()->key == f.rope);
}

TEST_CASE("trained values are drawn layer by layer until the scheme is edited", "[ui][encodings]") {
    EncodingsFixture f;
    QString kerple;
    for (const RunEntry& run : f.session->runs())
        if (run.title() == QStringLiteral("Kerple") && run.info.recipe.seed == 1) kerple = run.key;
    REQUIRE_FALSE(kerple.isEmpty());
    f.session->setCurrentRun(kerple);
    f.show("alibi");
    auto* layer = f.page()->findChild<QSpinBox*>(QStringLiteral("trainedLayer"));
    CHECK(layer->isHidden());
    const auto farthest = [&] {
        waitForJobs(*f.session);
        const auto& content = f.page()->findChild<CurvePlot*>(QStringLiteral("biasPlot"))->content();
        REQUIRE_FALSE(content.series.empty());
        return content.series.front().y.back();
    };
    f.runMenu()[2]->trigger();
    CHECK_FALSE(layer->isHidden());
    CHECK(layer->maximum() == 3);
    CHECK(f.page()->schemeForm()->scheme().slots.at("bias").id == "kerple-log");
    const double first = farthest();
    layer->setValue(2);
    CHECK(farthest() == Approx(2 * first));
    CHECK(f.page()->findChild<QLabel*>(QStringLiteral("previewNote"))->text().startsWith(QStringLiteral("Kerple, seed 1, step 6,000, layer 2 of 4: values.")));
    f.show("kerple");
    CHECK(layer->isHidden());
    CHECK(farthest() == Approx(first / 2));
}

TEST_CASE("a scheme is kept as a preset, which both forms offer, and deleted again", "[ui][encodings]") {
    EncodingsFixture f;
    f.show("alibi");
    const auto combo = [](SchemeForm* form) { return form->findChild<QComboBox*>(QStringLiteral("presetCombo")); };
    auto* train = static_cast<TrainPage*>(f.window->page(PageId::train))->form()->schemeForm();
    f.page()->schemeForm()->findChild<ParamForm*>(QStringLiteral("params-bias"))->setValue("scale", 2.0);
    Q_EMIT f.page()->schemeForm()->edited();
    f.page()->findChild<QPushButton*>(QStringLiteral("savePreset"))->click();
    auto* name = f.page()->findChild<QLineEdit*>(QStringLiteral("presetName"));
    REQUIRE_FALSE(name->isHidden());
    name->setText(QStringLiteral("alibi"));
    Q_EMIT name->returnPressed();
    CHECK_FALSE(name->isHidden());  // refused: the name is the program's
    CHECK(combo(train)->findText(QStringLiteral("Steep")) < 0);
    f.page()->savePreset(QStringLiteral("Steep"));
    CHECK(name->isHidden());
    const auto* saved = f.page()->findChild<QLabel*>(QStringLiteral("presetSaved"));
    CHECK(saved->isVisible());
    CHECK(saved->text().contains(QStringLiteral("Steep")));
    CHECK(combo(train)->findText(QStringLiteral("Steep")) > 0);
    CHECK(combo(f.page()->schemeForm())->currentText() == QStringLiteral("Steep"));
    CHECK(f.page()->schemeForm()->scheme().name == "Steep");
    auto* remove = f.page()->schemeForm()->findChild<QToolButton*>(QStringLiteral("deletePreset"));
    REQUIRE_FALSE(remove->isHidden());
    remove->click();
    CHECK(remove->isHidden());
    CHECK(combo(train)->findText(QStringLiteral("Steep")) < 0);
    CHECK(f.page()->schemeForm()->scheme().slots.at("bias").id == "alibi");  // the scheme itself stays in the form
}

TEST_CASE("Train opens with the scheme of the page and keeps the rest of its recipe", "[ui][encodings]") {
    EncodingsFixture f;
    auto* train = static_cast<TrainPage*>(f.window->page(PageId::train));
    lw::Recipe recipe = train->form()->recipe();
    recipe.training.steps = 321;
    recipe.name = "Earlier";
    train->form()->setRecipe(recipe);
    f.show("rope-yarn");
    f.page()->findChild<QPushButton*>(QStringLiteral("trainScheme"))->click();
    CHECK(f.window->currentPage() == PageId::train);
    CHECK(train->form()->recipe().scheme.slots.at("frequency").id == "yarn");
    CHECK(train->form()->recipe().training.steps == 321);
    CHECK(train->form()->recipe().name.empty());
}

TEST_CASE("the text about a scheme has its numbers, its cost and a link to the paper", "[ui][encodings]") {
    EncodingsFixture f;
    f.show("alibi");
    waitForJobs(*f.session);
    const QString text = f.page()->findChild<QLabel*>(QStringLiteral("aboutScheme"))->text();
    CHECK(text.contains(QStringLiteral("<i>H</i> = 8")));
    CHECK(text.contains(QStringLiteral("8 operations per visible pair")));
    CHECK(text.contains(QStringLiteral("href='https://arxiv.org/'")));
}

TEST_CASE("formulas are typeset: letters slant, indices sink, exponents rise, names stand", "[ui][encodings]") {
    CHECK(formulaHtml(QStringLiteral("mₕ = 2^(−M·h/H)")) == QStringLiteral("<i>m</i><sub><i>h</i></sub> = 2<sup>−<i>M</i>·<i>h</i>/<i>H</i></sup>"));
    CHECK(formulaHtml(QStringLiteral("θ′ₙ = θₙ/s")) == QStringLiteral("<i>θ</i>′<sub><i>n</i></sub> = <i>θ</i><sub><i>n</i></sub>/<i>s</i>"));
    CHECK(formulaHtml(QStringLiteral("a·ln s²")) == QStringLiteral("<i>a</i>·ln <i>s</i><sup>2</sup>"));
    CHECK(formulaHtml(QStringLiteral("r_min < W_r")) == QStringLiteral("<i>r</i><sub>min</sub> &lt; <i>W</i><sub><i>r</i></sub>"));
    CHECK(formulaHtml(QStringLiteral("Σ_{l=j…i} x")) == QStringLiteral("Σ<sub><i>l</i>=<i>j</i>…<i>i</i></sub> <i>x</i>"));
    CHECK(formulaHtml(QStringLiteral("x^0.75")) == QStringLiteral("<i>x</i><sup>0.75</sup>"));
    CHECK(formulaHtml(QStringLiteral("x^(")) == QStringLiteral("<i>x</i><sup></sup>"));
    CHECK(formulaHtml(QStringLiteral("^_")).contains(QStringLiteral("^")));
}
