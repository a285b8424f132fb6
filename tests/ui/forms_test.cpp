/// Forms made from parameter specs.
#include "tests/ui/ui_support.h"
#include "ui/forms/data_form.h"
#include "ui/forms/elided_combo.h"
#include "ui/forms/number_spin.h"
#include "ui/forms/param_form.h"
#include "ui/forms/recipe_form.h"
#include "ui/forms/scheme_form.h"
#include "ui/forms/slider_scale.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QSlider>
#include <QToolButton>

using namespace lw;
using namespace lw::ui;

namespace {

ParamSpec spec(const char* id, ParamType type, ParamValue value, double min, double max, double step = 0, bool logarithmic = false) {
    ParamSpec s;
    s.id = id;
    s.label = id;
    s.help = "Help.";
    s.type = type;
    s.default_value = std::move(value);
    s.min = min;
    s.max = max;
    s.step = step;
    s.logarithmic = logarithmic;
    return s;
}

std::vector<ParamSpec> fourKinds() {
    ParamSpec choice = spec("variant", ParamType::choice, std::string("a"), 0, 0);
    choice.choices = {"a", "b"};
    return {spec("base", ParamType::real, 10000.0, 10, 1e7, 0, true), spec("width", ParamType::integer, std::int64_t{32}, 4, 256, 4), choice,
            spec("residual", ParamType::boolean, true, 0, 0)};
}

}  // namespace

TEST_CASE("a slider covers its bounds and comes back to the value it shows", "[ui][forms]") {
    const SliderScale logarithmic{10, 1e7, 0, true, false};
    CHECK(logarithmic.value(0) == Approx(10));
    CHECK(logarithmic.value(SliderScale::kSteps) == Approx(1e7));
    CHECK(logarithmic.value(logarithmic.position(10000)) == Approx(10000).epsilon(0.02));
    CHECK(logarithmic.value(SliderScale::kSteps / 2) == Approx(std::sqrt(10 * 1e7)).epsilon(0.02));
    const SliderScale whole{4, 256, 4, false, true};
    CHECK(whole.value(whole.position(32)) == 32);
    CHECK(whole.snap(33) == 32);
    CHECK(whole.snap(1e9) == 256);
}

TEST_CASE("a logarithmic scale that includes zero is linear", "[ui][forms]") {
    const SliderScale scale{0, 10, 0, true, false};
    CHECK(scale.value(SliderScale::kSteps / 2) == Approx(5));
    CHECK(scale.position(5) == SliderScale::kSteps / 2);
}

TEST_CASE("every parameter type gets its input, its default and its help", "[ui][forms]") {
    ParamForm form;
    form.setSpecs(fourKinds());
    CHECK(form.findChild<NumberSpin*>("param-base")->value() == 10000);
    CHECK(form.findChild<NumberSpin*>("param-width")->value() == 32);
    CHECK(form.findChild<QComboBox*>("param-variant")->currentText() == "a");
    CHECK(form.findChild<QCheckBox*>("param-residual")->isChecked());
    CHECK(form.findChild<QComboBox*>("param-variant")->toolTip().contains("Help."));
    CHECK(form.changedValues().empty());
}

TEST_CASE("an edit is told once, stored with its type, and undone by reset", "[ui][forms]") {
    ParamForm form;
    form.setSpecs(fourKinds());
    QSignalSpy edited(&form, &ParamForm::edited);
    form.findChild<NumberSpin*>("param-width")->setValue(64);
    CHECK(edited.count() == 1);
    CHECK(std::get<std::int64_t>(form.values().at("width")) == 64);
    CHECK(form.changedValues().size() == 1);
    auto* reset = form.findChild<QToolButton*>("reset-width");
    CHECK_FALSE(reset->isHidden());
    reset->click();
    CHECK(std::get<std::int64_t>(form.values().at("width")) == 32);
    CHECK(reset->isHidden());
    form.findChild<QComboBox*>("param-variant")->setCurrentText("b");
    form.findChild<QCheckBox*>("param-residual")->click();
    CHECK(std::get<std::string>(form.values().at("variant")) == "b");
    CHECK_FALSE(std::get<bool>(form.values().at("residual")));
}

TEST_CASE("the slider moves the number and the number the slider", "[ui][forms]") {
    ParamForm form;
    form.setSpecs(fourKinds());
    auto* slider = form.findChild<QSlider*>("slider-base");
    auto* spin = form.findChild<NumberSpin*>("param-base");
    slider->setValue(SliderScale::kSteps);
    CHECK(spin->value() == Approx(1e7));
    spin->setValue(10);
    CHECK(slider->value() == 0);
    CHECK(paramNumber(form.values().at("base")) == Approx(10));
}

TEST_CASE("setting values from outside tells nobody", "[ui][forms]") {
    ParamForm form;
    form.setSpecs(fourKinds());
    QSignalSpy edited(&form, &ParamForm::edited);
    form.setValues({{"width", std::int64_t{128}}, {"base", 500.0}, {"variant", std::string("b")}, {"unknown", 1.0}});
    CHECK(edited.count() == 0);
    CHECK(form.findChild<NumberSpin*>("param-width")->value() == 128);
    CHECK(paramText(form.values(), "variant") == "b");
}

TEST_CASE("a value outside the usual bounds is shown as it is trained", "[ui][forms]") {
    ParamForm form;
    form.setSpecs(fourKinds());
    form.setValue("width", std::int64_t{1024});
    CHECK(std::get<std::int64_t>(form.values().at("width")) == 1024);
    CHECK(form.findChild<NumberSpin*>("param-width")->value() == 1024);
}

TEST_CASE("a recipe's sources come out of the form as they went in", "[ui][forms]") {
    const lw::test::SessionFixture f;
    DataForm form(f.session.get());
    DataSpec data;
    for (const char* source : {"en-drama+en-prose", "sample:lighthouse+texts/a.txt", "zh-novel", "unknown+en-prose"}) {
        data.source = source;
        form.setData(data);
        CHECK(form.data().source == source);
    }
}

TEST_CASE("a ticked corpus that is not here stands in the way and can be unticked", "[ui][forms]") {
    const lw::test::SessionFixture f;
    DataForm form(f.session.get());
    DataSpec data;
    data.source = "en-drama+en-prose";
    form.setData(data);
    CHECK(form.problem() == "Shakespeare's plays is not here yet: fetch it or untick it.");
    auto* box = form.findChild<QCheckBox*>("corpus-en-drama");
    REQUIRE(box->isEnabled());
    box->click();
    CHECK(form.problem().isEmpty());
    CHECK(form.data().source == "en-prose");
    data.source = "en-prose+nowhere.txt";
    form.setData(data);
    CHECK(form.problem().contains("nowhere.txt"));
}

TEST_CASE("numbers are shown with the digits that matter", "[ui][forms]") {
    QLocale::setDefault(QLocale::c());
    NumberSpin spin(SliderScale{1e-6, 1e7, 0, true, false});
    spin.setLocale(QLocale(QLocale::English, QLocale::UnitedStates));
    CHECK(spin.textFromValue(0.002) == "0.002");
    CHECK(spin.textFromValue(10000) == "10,000");
    CHECK(spin.textFromValue(0.25) == "0.25");
    CHECK(spin.textFromValue(0.00001).toLower() == "1e-05");
    CHECK(spin.valueFromText("10,000") == 10000);
    CHECK(spin.valueFromText("2e-3") == Approx(0.002));
}

TEST_CASE("a logarithmic spin box steps by factors", "[ui][forms]") {
    NumberSpin spin(SliderScale{1, 1e6, 0, true, false});
    spin.setValue(100);
    spin.stepBy(4);
    CHECK(spin.value() == Approx(200));
    spin.stepBy(-4);
    CHECK(spin.value() == Approx(100));
}

TEST_CASE("the scheme form offers every method of a slot and none", "[ui][forms]") {
    SchemeForm form;
    for (const SlotInfo& slot : lw::slots()) {
        auto* combo = form.findChild<QComboBox*>(QStringLiteral("slot-") + QString::fromStdString(slot.id));
        REQUIRE(combo);
        const auto inSlot = std::count_if(methods().begin(), methods().end(), [&](const MethodInfo& m) { return m.slot == slot.id; });
        CHECK(combo->count() == inSlot + 1);
    }
}

TEST_CASE("a preset fills the slots and the form gives it back", "[ui][forms]") {
    SchemeForm form;
    for (const SchemePreset& preset : scheme_presets()) {
        form.setScheme(preset.scheme);
        CHECK(form.scheme().name == preset.scheme.name);
        CHECK(form.scheme().slots.size() == preset.scheme.slots.size());
        CHECK(form.findChild<QComboBox*>("presetCombo")->currentData().toString().toStdString() == preset.id);
        CHECK(form.valid());
    }
}

TEST_CASE("a combination that cannot run says why", "[ui][forms]") {
    SchemeForm form;
    form.setScheme(find_scheme("rope-yarn").value());
    REQUIRE(form.valid());
    auto* rotation = form.findChild<QComboBox*>("slot-rotation");
    rotation->setCurrentIndex(0);
    Q_EMIT rotation->activated(0);
    CHECK_FALSE(form.valid());
    CHECK(form.findChild<QLabel*>("schemeMessage")->text().contains("rotation"));
}

TEST_CASE("an edited preset becomes a combination of its own", "[ui][forms]") {
    SchemeForm form;
    form.setScheme(find_scheme("alibi").value());
    QSignalSpy edited(&form, &SchemeForm::edited);
    form.findChild<NumberSpin*>("param-scale")->setValue(2);
    CHECK(edited.count() == 1);
    CHECK(form.findChild<QComboBox*>("presetCombo")->currentData().toString().isEmpty());
    CHECK(paramReal(form.scheme().slots.at("bias").params, "scale") == 2);
    CHECK(form.scheme().name == "ALiBi (scale 2)");
}

TEST_CASE("a combo box ends what it has no room for with an ellipsis", "[ui][forms]") {
    ElidedCombo combo;
    combo.addItem("KERPLE (logarithmic)");
    combo.resize(90, 30);
    CHECK(combo.shownText().endsWith(QChar(0x2026)));
    combo.resize(400, 30);
    CHECK(combo.shownText() == "KERPLE (logarithmic)");
}

TEST_CASE("choices read as words and are kept as ids", "[ui][forms]") {
    ParamSpec choice = spec("variant", ParamType::choice, std::string("plain"), 0, 0);
    choice.choices = {"plain", "concat_residual"};
    ParamForm form;
    form.setSpecs({choice});
    auto* combo = form.findChild<QComboBox*>("param-variant");
    combo->setCurrentIndex(1);
    CHECK(combo->currentText() == "concat residual");
    CHECK(paramText(form.values(), "variant") == "concat_residual");
    form.setValue("variant", std::string("plain"));
    CHECK(combo->currentText() == "plain");
}

TEST_CASE("a corpus whose name the font cannot draw is called by its language", "[ui][forms]") {
    CorpusInfo corpus;
    corpus.id = "sample:tea-road";
    corpus.language = "Chinese";
    corpus.title = "茶路：一篇中文故事";
    CHECK(DataForm::titleOf(corpus, [](uint letter) { return letter < 128; }) == "Chinese text (tea-road)");
    CHECK(DataForm::titleOf(corpus, [](uint) { return true; }) == "Chinese text (茶路)");
    corpus.title = "Chinese novel: 三国演义, 120 chapters";
    CHECK(DataForm::titleOf(corpus, [](uint letter) { return letter < 128; }) == "Chinese novel");
}

TEST_CASE("one choice makes a recipe small enough for a first look, and another brings the usual size back", "[ui][forms]") {
    const lw::test::SessionFixture f;
    RecipeForm form(f.session.get());
    auto* effort = form.findChild<QComboBox*>("effortCombo");
    REQUIRE(effort);
    CHECK(effort->currentText() == "Usual");
    const Recipe usual = form.recipe();
    const auto choose = [&](int index) {
        effort->setCurrentIndex(index);
        Q_EMIT effort->activated(index);
    };
    choose(0);
    const Recipe small = form.recipe();
    CHECK(small.training.steps * small.training.batch < usual.training.steps * usual.training.batch / 4);
    CHECK(small.model.width < usual.model.width);
    CHECK(effort->currentIndex() == 0);
    form.findChild<NumberSpin*>("param-steps")->setValue(500);
    CHECK(effort->currentText() == "Own");
    choose(1);
    CHECK(form.recipe().training.steps == usual.training.steps);
    CHECK(form.recipe().model.layers == usual.model.layers);
}

TEST_CASE("the button that brings a default back has room for its sign", "[ui][forms]") {
    ParamForm form;
    form.setSpecs(fourKinds());
    CHECK(form.findChild<QToolButton*>("reset-width")->property("compact").toBool());
}

TEST_CASE("a preset chosen for an encoder leaves it an encoder", "[ui][forms]") {
    SchemeForm form;
    lw::SchemeSpec scheme = lw::scheme_presets().front().scheme;
    auto* combo = form.findChild<QComboBox*>(QStringLiteral("presetCombo"));
    const auto choose = [&](const char* id) {
        combo->setCurrentIndex(combo->findData(QString::fromLatin1(id)));
        Q_EMIT combo->activated(combo->currentIndex());
    };
    form.setScheme(scheme);
    choose("alibi");
    CHECK_FALSE(form.scheme().slots.contains("visibility"));
    scheme.slots["visibility"] = {"full", {}};
    form.setScheme(scheme);
    choose("alibi");
    CHECK(form.scheme().slots.at("bias").id == "alibi");
    CHECK(form.scheme().slots.at("visibility").id == "full");
}
