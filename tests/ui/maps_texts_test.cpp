/// What depends on the text, and which heads attend alike, on the Maps page.
#include "tests/ui/maps_support.h"
#include "ui/pages/maps_heads.h"
#include "ui/pages/maps_texts.h"
#include "ui/panels/details_panel.h"
#include "ui/plot/profile_plot.h"
#include "ui/plot/segmented.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>

#include <limits>

using namespace lw::ui;
using lw::ScorePart;
using lw::test::eventually;
using lw::test::ShownMaps;

namespace {

lw::DependencePlace place(std::int64_t query, std::int64_t key, double moved) {
    lw::DependencePlace made;
    made.query = query;
    made.key = key;
    made.term_a = 0.5;
    made.term_b = 2;
    made.weight = 0.2;
    made.moved = moved;
    made.query_a = "▁the";
    made.key_a = "ship";
    made.query_b = "a";
    made.key_b = "was";
    return made;
}

QString noteOf(const QWidget* view) { return view->findChild<QLabel*>(QStringLiteral("textsNote"))->text(); }

/// What the details say of similar heads; nothing where they do not.
DetailSection similarOf(const ShownMaps& shown) {
    const auto found = shown.session->details().find(QStringLiteral("similar"));
    return found == shown.session->details().end() ? DetailSection() : found->second;
}

/// The page with its list of places, and the text that follows as the second one.
struct ShownTexts : ShownMaps {
    explicit ShownTexts(const char* run = "DAPE-Kerple") : ShownMaps(run), view(page->heads()->texts()), table(view->findChild<QTableWidget*>(QStringLiteral("textPlaces"))) {
        page->heads()->showView(HeadsPanel::kTexts);
    }
    void chooseNext() const {
        auto* choice = view->findChild<QComboBox*>(QStringLiteral("secondText"));
        REQUIRE(choice->count() > 1);
        choice->setCurrentIndex(1);
        Q_EMIT choice->activated(1);
        REQUIRE(eventually([&] { return page->comparing() && table->rowCount() > 0; }));
    }
    TextsView* view;
    QTableWidget* table;
};

}  // namespace

TEST_CASE("places are listed with their words, and a row that is taken names its cell", "[ui][maps][texts]") {
    TextsView view;
    lw::TextDependence found;
    found.heads = {{0, 0, 0.42, 1.31, 2.5, 0.083}};
    found.places = {place(120, 43, 0.31), place(9, 4, -0.2)};
    view.setDependence(found);
    const auto* table = view.findChild<QTableWidget*>(QStringLiteral("textPlaces"));
    REQUIRE(table->rowCount() == 2);
    CHECK(table->item(0, 0)->text() == QStringLiteral("120, 43"));
    CHECK(table->item(0, 1)->text() == QStringLiteral("the → ship · a → was"));
    CHECK(table->item(0, 2)->text() == QStringLiteral("+0.310"));
    CHECK(table->item(1, 2)->text().startsWith(QChar(0x2212)));
    CHECK(table->item(0, 1)->toolTip().contains(QStringLiteral("Distance 77")));
    CHECK(noteOf(&view).contains(QStringLiteral("8.3 %")));
    CHECK(view.hasNumbers());
    CHECK(view.csv() == lw::places_csv(found));
    const QSignalSpy chosen(&view, &TextsView::placeChosen);
    view.findChild<QTableWidget*>(QStringLiteral("textPlaces"))->setCurrentCell(1, 0);
    REQUIRE(chosen.size() == 1);
    CHECK(chosen[0] == QVariantList{qint64{9}, qint64{4}});
    view.setMessage(QStringLiteral("Nothing."));
    CHECK(table->rowCount() == 0);
    CHECK_FALSE(view.hasNumbers());
    CHECK(chosen.size() == 1);
}

TEST_CASE("two texts stand beside each other and the places where it matters most are listed", "[ui][maps][texts]") {
    const ShownTexts shown;
    CHECK(noteOf(shown.view).contains(QStringLiteral("Choose a second text")));
    CHECK(lw::fake::state().dependence_calls == 0);
    shown.chooseNext();
    const HeatMap* gap = shown.page->canvas()->map(MapsCanvas::kDifference);
    CHECK(gap->isVisible());
    REQUIRE(eventually([&] { return !gap->shownTile().values.empty(); }));
    CHECK(lw::fake::state().dependence_calls == 1);
    CHECK(noteOf(shown.view).contains(QStringLiteral("0.42")));
    CHECK(gap->scale().low == -gap->scale().high);
    const std::int64_t query = shown.session->mapsInfo()->length - 3;
    shown.table->setCurrentCell(2, 0);
    CHECK(shown.session->query() == query);
    CHECK(shown.map()->crosshair() == MapCell{query, query / 2});
    CHECK(shown.page->canvas()->map(MapsCanvas::kSecond)->crosshair() == MapCell{query, query / 2});
    shown.page->stopComparing();
    CHECK(shown.table->rowCount() == 0);
    CHECK(noteOf(shown.view).contains(QStringLiteral("Choose a second text")));
    CHECK(shown.view->findChild<QComboBox*>(QStringLiteral("secondText"))->currentIndex() == 0);
}

TEST_CASE("another head and another order are measured again, the same one is not", "[ui][maps][texts]") {
    const ShownTexts shown;
    shown.chooseNext();
    REQUIRE(lw::fake::state().dependence_calls == 1);
    shown.session->setPart(ScorePart::adaptive);
    CHECK(lw::fake::state().dependence_calls == 1);
    shown.session->setHead(2, 5);
    REQUIRE(eventually([&] { return lw::fake::state().dependence_calls == 2; }));
    shown.view->findChild<Segmented*>(QStringLiteral("placesOrder"))->button(1)->click();
    REQUIRE(eventually([&] { return lw::fake::state().dependence_calls == 3 && shown.table->rowCount() > 0; }));
    CHECK(shown.table->horizontalHeaderItem(2)->text() == QStringLiteral("Second − first"));
}

TEST_CASE("all heads are listed by how much they depend on the text, and a row opens its head", "[ui][maps][texts]") {
    const ShownTexts shown;
    shown.chooseNext();
    auto* scope = shown.view->findChild<Segmented*>(QStringLiteral("textsScope"));
    const auto* order = shown.view->findChild<Segmented*>(QStringLiteral("placesOrder"));
    scope->button(1)->click();
    REQUIRE(eventually([&] { return shown.table->rowCount() == 32; }));
    CHECK(lw::fake::state().dependence_calls == 2);
    CHECK_FALSE(order->isVisible());
    CHECK(shown.table->item(0, 0)->text() == QStringLiteral("1, 5"));
    CHECK(shown.table->item(0, 2)->text() == QStringLiteral("40.0\u00a0%"));
    CHECK(shown.table->item(0, 1)->toolTip().contains(QStringLiteral("Largest difference")));
    CHECK(shown.table->item(31, 0)->text() == QStringLiteral("0, 0"));
    CHECK(shown.table->currentRow() == 31);  // the head that is looked at
    CHECK(shown.view->csv().starts_with("layer,head,moved"));
    shown.table->setCurrentCell(0, 0);
    CHECK(shown.session->layer() == 1);
    CHECK(shown.session->head() == 5);
    CHECK(shown.table->rowCount() == 32);
    CHECK(lw::fake::state().dependence_calls == 2);
    scope->button(0)->click();
    REQUIRE(eventually([&] { return lw::fake::state().dependence_calls == 3 && shown.table->rowCount() == 12; }));
    CHECK(order->isVisible());
    scope->button(1)->click();
    REQUIRE(eventually([&] { return shown.table->rowCount() == 32; }));
    CHECK(lw::fake::state().dependence_calls == 3);  // measured before
    CHECK(shown.table->currentRow() == 0);
    shown.page->stopComparing();
    CHECK(shown.table->rowCount() == 0);
    shown.chooseNext();
    CHECK(lw::fake::state().dependence_calls == 4);
}

TEST_CASE("heads without numbers come last, spoil no average and are named", "[ui][maps][texts]") {
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    TextsView view;
    view.findChild<Segmented*>(QStringLiteral("textsScope"))->button(1)->click();
    lw::TextDependence found;
    found.heads = {{0, 0, kNaN, kNaN, kNaN, kNaN}, {0, 1, 0.4, 1.3, 2.5, 0.1}, {0, 2, 0.4, 1.3, 2.5, 0.3}};
    found.warning = "Scores of layer 0 head 0 are not finite numbers.";
    view.setDependence(found);
    const auto* table = view.findChild<QTableWidget*>(QStringLiteral("textPlaces"));
    REQUIRE(table->rowCount() == 3);
    CHECK(table->item(0, 0)->text() == QStringLiteral("0, 2"));
    CHECK(table->item(2, 0)->text() == QStringLiteral("0, 0"));
    CHECK(table->item(2, 2)->text().startsWith(QChar(0x2013)));
    CHECK(noteOf(&view).startsWith(QString::fromStdString(found.warning)));
    CHECK(noteOf(&view).contains(QStringLiteral("20.0\u00a0%")));
}

TEST_CASE("the second text can be typed", "[ui][maps][texts]") {
    const ShownTexts shown;
    auto* choice = shown.view->findChild<QComboBox*>(QStringLiteral("secondText"));
    auto* line = shown.view->findChild<QLineEdit*>(QStringLiteral("secondTypedText"));
    CHECK_FALSE(line->isVisible());
    const int typed = choice->count() - 1;
    choice->setCurrentIndex(typed);
    Q_EMIT choice->activated(typed);
    CHECK(line->isVisible());
    CHECK_FALSE(shown.page->comparing());
    shown.session->setHead(2, 5);  // a field that is typed in stays
    CHECK(line->isVisible());
    CHECK(choice->currentIndex() == typed);
    const QSignalSpy offers(shown.session.get(), &Session::offerMade);
    line->setText(QStringLiteral("The lamp is lit at dusk."));
    QTest::keyClick(line, Qt::Key_Return);
    REQUIRE(eventually([&] { return shown.page->comparing() && shown.table->rowCount() > 0; }));
    CHECK(choice->currentIndex() == typed);
    CHECK(lw::fake::state().dependence_calls == 1);
    REQUIRE(offers.size() == 1);  // it is shorter than the first one
    const Offer offer = offers[0][0].value<Offer>();
    CHECK(offer.action == QStringLiteral("Use 24 tokens"));
    offer.accept();
    REQUIRE(eventually([&] { return shown.session->mapsInfo() && shown.session->mapsInfo()->length == 24 && shown.page->comparing() && shown.table->rowCount() > 0; }));
    CHECK(offers.size() == 1);
    const HeatMap* gap = shown.page->canvas()->map(MapsCanvas::kDifference);
    CHECK(eventually([&] { return !gap->shownTile().values.empty() && gap->shownTile().queries.end == 24; }));
    choice->setCurrentIndex(1);
    Q_EMIT choice->activated(1);
    CHECK_FALSE(line->isVisible());
}

TEST_CASE("the list of second texts follows what stands beside the first one", "[ui][maps][texts]") {
    TextsView view;
    lw::TextRequest document, typed;
    document.document = "en-prose/persuasion";
    typed.text = "A boat comes home.";
    view.setTexts({{QStringLiteral("persuasion"), document}});
    view.setChosen(typed);
    auto* choice = view.findChild<QComboBox*>(QStringLiteral("secondText"));
    const auto* line = view.findChild<QLineEdit*>(QStringLiteral("secondTypedText"));
    CHECK(choice->currentIndex() == 2);
    CHECK(line->text() == QStringLiteral("A boat comes home."));
    CHECK_FALSE(line->isHidden());
    view.setChosen(document);
    CHECK(choice->currentIndex() == 1);
    CHECK(line->isHidden());
    view.setChosen(std::nullopt);
    CHECK(choice->currentIndex() == 0);
}

TEST_CASE("long texts are compared when they are asked to", "[ui][maps][texts]") {
    const ShownTexts shown;
    shown.session->setLength(4096);
    REQUIRE(eventually([&] { return shown.session->mapsInfo() && shown.session->mapsInfo()->length == 4096; }));
    shown.page->compareWithText({{}, "en-prose/northanger_abbey", 0, 4096});
    REQUIRE(eventually([&] { return shown.page->comparing(); }));
    auto* button = shown.view->findChild<QPushButton*>(QStringLiteral("compareTexts"));
    REQUIRE(button);
    REQUIRE(eventually([&] { return button->isVisible(); }));
    CHECK(noteOf(shown.view).contains(QStringLiteral("4,096")));
    CHECK(lw::fake::state().dependence_calls == 0);
    button->click();
    REQUIRE(eventually([&] { return shown.table->rowCount() > 0; }));
    CHECK(lw::fake::state().dependence_calls == 1);
    CHECK_FALSE(button->isVisible());
    shown.session->setHead(2, 5);
    CHECK(eventually([&] { return button->isVisible(); }));
    CHECK(lw::fake::state().dependence_calls == 1);
}

TEST_CASE("only texts that can be opened beside the open one are offered", "[ui][maps][texts]") {
    const ShownTexts shown;
    const auto* choice = shown.view->findChild<QComboBox*>(QStringLiteral("secondText"));
    const auto offers = [&](const char* words) { return choice->findText(QLatin1String(words), Qt::MatchContains) >= 0; };
    CHECK(offers("The next 256 tokens"));
    CHECK(offers("northanger_abbey"));
    CHECK_FALSE(offers("persuasion"));  // no document was named, so it is the first one of the test split
    CHECK(offers("lighthouse"));
    shown.session->setTextRequest({{}, {}, 164402 - 300, 256});
    REQUIRE(eventually([&] { return !offers("The next"); }));  // 44 tokens are left
    CHECK_FALSE(offers("persuasion"));
    shown.session->setTextRequest({{}, "en-prose/northanger_abbey", 0, 13201});
    REQUIRE(eventually([&] { return offers("persuasion"); }));
    CHECK_FALSE(offers("northanger_abbey"));
    CHECK_FALSE(offers("lighthouse"));  // one token short
}

TEST_CASE("nothing follows an example of a task", "[ui][maps][texts]") {
    const ShownTexts shown;
    lw::RunInfo task = lw::read_run("/fake/demo/dape-kerple-s1").value();
    task.folder = "/fake/workspace/recall-s1";
    task.recipe.data.source = "task:recall";
    lw::fake::state().trained = {task};
    shown.session->reloadRuns();
    shown.session->setCurrentRun(QStringLiteral("/fake/workspace/recall-s1"));
    shown.session->ensureMaps();
    REQUIRE(eventually([&] { return shown.session->mapsRun() == QStringLiteral("/fake/workspace/recall-s1") && shown.page->settled(); }));
    const auto* choice = shown.view->findChild<QComboBox*>(QStringLiteral("secondText"));
    CHECK(choice->count() > 1);
    CHECK(choice->findText(QStringLiteral("The next"), Qt::MatchContains) < 0);
}

TEST_CASE("nothing is compared for a page or a list that is not seen", "[ui][maps][texts]") {
    const ShownTexts shown;
    shown.page->heads()->showView(HeadsPanel::kPictures);
    shown.page->compareWithText({{}, "en-prose/northanger_abbey", 256, 256});
    REQUIRE(eventually([&] { return shown.page->comparing(); }));
    CHECK(lw::fake::state().dependence_calls == 0);
    shown.page->heads()->showView(HeadsPanel::kTexts);
    CHECK(lw::fake::state().dependence_calls == 1);
    shown.page->hide();
    const int distances = lw::fake::state().distance_calls;
    shown.session->setHead(1, 1);
    shown.session->setLength(128);
    CHECK(lw::fake::state().dependence_calls == 1);
    CHECK(lw::fake::state().distance_calls == distances);
}

TEST_CASE("a scheme whose terms do not look at the text says which ones do", "[ui][maps][texts]") {
    const ShownTexts shown("Kerple");
    CHECK(noteOf(shown.view).contains(QStringLiteral("Kerple adds nothing to its scores that looks at the text")));
    CHECK(noteOf(shown.view).contains(QStringLiteral("DAPE")));
    CHECK_FALSE(shown.view->findChild<QComboBox*>(QStringLiteral("secondText"))->isVisible());
    CHECK(lw::fake::state().dependence_calls == 0);
}

TEST_CASE("the most similar heads are those that attend alike, and a click opens one", "[ui][maps][similar]") {
    const ShownMaps shown;
    shown.session->setHead(1, 3);
    REQUIRE(eventually([&] { return similarOf(shown).text.contains(QStringLiteral("Jensen")); }));
    CHECK(lw::fake::state().distance_calls == 1);  // once for all heads
    const auto facts = similarOf(shown).facts;
    REQUIRE(facts.size() > 1);
    CHECK(facts[0].label == QStringLiteral("Layer 1, head 2"));
    REQUIRE(facts[0].call);
    facts[0].call();
    CHECK(shown.session->layer() == 1);
    CHECK(shown.session->head() == 2);
}

TEST_CASE("long texts compare their attention when they are asked to", "[ui][maps][similar]") {
    const ShownMaps shown;
    shown.session->setLength(2048);
    REQUIRE(eventually([&] { return shown.exact() && shown.map()->shownTile().queries.end == 2048 && !similarOf(shown).actions.empty(); }));
    const int before = lw::fake::state().distance_calls;
    const auto compare = similarOf(shown).actions.front().call;
    compare();
    REQUIRE(eventually([&] { return similarOf(shown).text.contains(QStringLiteral("Jensen")); }));
    CHECK(lw::fake::state().distance_calls == before + 1);
    CHECK(similarOf(shown).actions.empty());
}

TEST_CASE("a comparison of heads that failed can be asked for again, and does not begin again by itself", "[ui][maps][similar]") {
    const ShownMaps shown;
    lw::fake::state().fail_distances = true;
    shown.session->setLength(512);
    REQUIRE(eventually([&] { return shown.exact() && shown.map()->shownTile().queries.end == 512 && !similarOf(shown).actions.empty(); }));
    const int before = lw::fake::state().distance_calls;
    shown.session->setHead(1, 3);
    CHECK(lw::fake::state().distance_calls == before);
    REQUIRE(similarOf(shown).actions.size() == 1);
    lw::fake::state().fail_distances = false;
    const auto compare = similarOf(shown).actions.front().call;
    compare();
    REQUIRE(eventually([&] { return similarOf(shown).text.contains(QStringLiteral("Jensen")); }));
    CHECK(lw::fake::state().distance_calls == before + 1);
    CHECK(similarOf(shown).actions.empty());
}

TEST_CASE("a fact with something to do is a link", "[ui][panels][similar]") {
    const lw::test::SessionFixture fixture;
    DetailsPanel panel(fixture.session.get());
    int opened = 0;
    DetailSection section;
    section.heading = QStringLiteral("Most similar heads");
    section.facts = {{QStringLiteral("Layer 1, head 2"), QStringLiteral("0.12"), {}, [&] { ++opened; }}, {QStringLiteral("Texts"), QStringLiteral("1"), {}}};
    fixture.session->setDetails(QStringLiteral("similar"), section);
    panel.show();
    QLabel* link = nullptr;
    REQUIRE(eventually([&] {
        for (QLabel* label : panel.findChildren<QLabel*>())
            if (label->text().contains(QStringLiteral("href"))) link = label;
        return link != nullptr;
    }));
    CHECK(link->accessibleName() == QStringLiteral("Layer 1, head 2"));
    Q_EMIT link->linkActivated(QStringLiteral("#"));
    CHECK(opened == 1);
}
