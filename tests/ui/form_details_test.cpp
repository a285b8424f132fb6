/// Bounds, automatic values, alignment and search in forms; the look of the desktop.
#include "tests/ui/ui_support.h"
#include "ui/forms/automatic_value.h"
#include "ui/forms/elided_check.h"
#include "ui/forms/number_spin.h"
#include "ui/forms/param_form.h"
#include "ui/forms/scheme_form.h"
#include "ui/forms/search_combo.h"
#include "ui/panels/token_strip.h"
#include "ui/theme.h"

#include <QApplication>
#include <QCompleter>
#include <QLineEdit>
#include <QSlider>
#include <QToolButton>

#include <cmath>
#include <set>

using namespace lw;
using namespace lw::ui;

namespace {

ParamSpec factor(const char* label = "Factor s") {
    ParamSpec spec;
    spec.id = "factor";
    spec.label = label;
    spec.help = "Target length / training length. 0 = length / training length, once the text is longer.";
    spec.zero = "length / training length";
    spec.default_value = 4.0;
    spec.min = 0;
    spec.max = 1024;
    spec.step = 0.5;
    return spec;
}

ModelShape shape(std::int64_t length, std::int64_t trained) {
    ModelShape s;
    s.length = length;
    s.train_length = trained;
    return s;
}

double contrast(const QColor& a, const QColor& b) {
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    const auto luminance = [&](const QColor& c) { return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF()); };
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

}  // namespace

TEST_CASE("a number out of bounds becomes the bound, which is said", "[ui][forms]") {
    NumberSpin spin({0.001, 0.1, 0, true, false});
    spin.setValue(0.01);
    const auto type = [&](const char* text) {
        spin.findChild<QLineEdit*>()->setText(QLatin1String(text));
        spin.interpretText();
    };
    type("0.5");
    CHECK(spin.value() == Approx(0.1));
    CHECK(spin.boundText(0.5) == QStringLiteral("at most 0.1"));
    type("0.0002");
    CHECK(spin.value() == Approx(0.001));
    CHECK(spin.boundText(0.0002) == QStringLiteral("at least 0.001"));
    CHECK(spin.boundText(0.02).isEmpty());
    type("0.02");
    CHECK(spin.value() == Approx(0.02));
}

TEST_CASE("a factor that follows the length says what it is", "[ui][forms]") {
    CHECK(automaticTexts(factor(), shape(8192, 128)).front() == QStringLiteral("auto (= 64 at T = 8,192)"));
    CHECK(automaticTexts(factor(), shape(64, 128)).front() == QStringLiteral("auto (= 1 at T = 64)"));
    CHECK(automaticTexts(factor(), shape(0, 128)).back() == QStringLiteral("auto"));
    ParamSpec plain = factor();
    plain.help = "1 = the whole factor, 0 = none.";
    plain.zero.clear();
    CHECK(automaticTexts(plain, shape(8192, 128)).isEmpty());

    ParamForm form;
    form.setAutomatic([](const ParamSpec& spec) { return automaticTexts(spec, shape(8192, 128)); });
    form.setSpecs({factor()}, {{"factor", 0.0}});
    auto* spin = form.findChild<NumberSpin*>("param-factor");
    CHECK(spin->text().startsWith(QStringLiteral("auto")));
    CHECK(spin->toolTip().contains(QStringLiteral("auto (= 64 at T = 8,192)")));
    CHECK(spin->value() == 0);
    spin->setValue(8);
    CHECK(spin->text() == QStringLiteral("8"));
}

TEST_CASE("a 0 is auto where the catalogue says from what it is worked out, and nowhere else", "[ui][forms]") {
    std::size_t automatic = 0;
    for (const MethodInfo& method : methods())
        for (const ParamSpec& spec : method.params) {
            CAPTURE(method.id, spec.id);
            CHECK(spec.zero.empty() == automaticTexts(spec, shape(8192, 128)).isEmpty());
            automatic += spec.zero.empty() ? 0 : 1;
        }
    CHECK(automatic > 0);
    ParamSpec own = factor();
    own.zero = "128, at most half of S";
    CHECK(automaticTexts(own, shape(8192, 128)).front() == QStringLiteral("auto (128, at most half of S)"));
    own.zero = "the model's width";
    ModelShape wide = shape(8192, 128);
    CHECK(automaticTexts(own, wide).front().contains(QString::number(wide.model_width())));
    // At −1 a field must not say "auto".
    own.zero = "a quarter of the training length";
    own.min = -1;
    ParamForm form;
    form.setAutomatic([](const ParamSpec& spec) { return automaticTexts(spec, shape(8192, 128)); });
    form.setSpecs({own}, {{"factor", -1.0}});
    const auto* spin = form.findChild<NumberSpin*>("param-factor");
    CHECK_FALSE(spin->text().contains(QStringLiteral("auto")));
    CHECK(spin->toolTip().contains(QStringLiteral("auto (a quarter of the training length)")));
}

TEST_CASE("a value that a preset brings is not offered to be reset", "[ui][forms]") {
    ParamForm form;
    form.setSpecs({factor()}, {{"factor", 16.0}});
    auto* reset = form.findChild<QToolButton*>("reset-factor");
    CHECK_FALSE(reset->isHidden());
    form.setBaseline({{"factor", 16.0}});
    CHECK(reset->isHidden());
    form.findChild<NumberSpin*>("param-factor")->setValue(2);
    CHECK_FALSE(reset->isHidden());
    reset->click();
    CHECK(paramReal(form.values(), "factor") == 16);
    CHECK(reset->isHidden());
}

TEST_CASE("inputs of all methods stand under each other and fields are of one width", "[ui][forms]") {
    SchemeForm form;
    form.setScheme(find_scheme("rope-yarn").value());
    form.resize(400, 900);
    form.show();
    REQUIRE(QTest::qWaitForWindowExposed(&form));
    std::set<int> widths, lefts;
    for (const auto* spin : form.findChildren<NumberSpin*>()) {
        if (!spin->isVisible()) continue;
        widths.insert(spin->width());
    }
    for (const auto* slider : form.findChildren<QSlider*>())
        if (slider->isVisible()) lefts.insert(slider->mapTo(&form, QPoint(0, 0)).x());
    for (const auto* combo : form.findChildren<QComboBox*>())
        if (combo->isVisible()) lefts.insert(combo->mapTo(&form, QPoint(0, 0)).x());
    CHECK(widths.size() == 1);
    CHECK(lefts.size() == 1);
}

TEST_CASE("schemes stand under headings that cannot be chosen, and are found by any part of their name", "[ui][forms]") {
    SchemeForm form;
    auto* combo = form.findChild<SearchCombo*>("presetCombo");
    REQUIRE(combo);
    const int heading = combo->findText(QStringLiteral("Frequency scaling"));
    REQUIRE(heading >= 0);
    CHECK_FALSE(combo->model()->flags(combo->model()->index(heading, 0)) & Qt::ItemIsEnabled);
    CHECK(combo->findData(QStringLiteral("rope-yarn")) > heading);
    auto* completer = combo->completer();
    completer->setCompletionPrefix(QStringLiteral("yarn"));
    REQUIRE(completer->completionCount() >= 1);
    CHECK(completer->currentCompletion().contains(QStringLiteral("YaRN")));
    completer->setCompletionPrefix(QStringLiteral("scaling"));  // the heading's word
    for (int i = 0; completer->setCurrentRow(i); ++i) CHECK(completer->currentCompletion() != QStringLiteral("Frequency scaling"));

    form.setScheme(find_scheme("alibi").value());
    CHECK(combo->lineEdit()->text() == QStringLiteral("ALiBi"));
    combo->lineEdit()->setText(QStringLiteral("nothing of the kind"));
    Q_EMIT combo->lineEdit()->editingFinished();
    CHECK(combo->lineEdit()->text() == QStringLiteral("ALiBi"));
}

TEST_CASE("a tick box ends what it has no room for with an ellipsis", "[ui][forms]") {
    ElidedCheck box;
    box.setText(QStringLiteral("King James Bible, one document a line"));
    box.resize(140, 24);
    CHECK(box.shownText().endsWith(QChar(0x2026)));
    box.resize(600, 24);
    CHECK(box.shownText() == box.text());
    box.grab();
}

TEST_CASE("pieces of a word lie beside each other without gaps", "[ui][panels]") {
    TokenStrip strip;
    strip.resize(600, 60);
    const QStringList pieces{QStringLiteral("▁pur"), QStringLiteral("ch"), QStringLiteral("a"), QStringLiteral("se")};
    strip.setTokens(pieces, 0);
    QString before;
    for (std::size_t t = 0; t < 4; ++t) {
        CHECK(strip.tokenLayout().places[t].x == strip.fontMetrics().horizontalAdvance(before));
        before += QString(pieces[static_cast<qsizetype>(t)]).replace(QChar(0x2581), QLatin1Char(' '));
    }
    strip.grab();
}

TEST_CASE("text on the accent stands off it whatever the desktop's accent is", "[ui][theme]") {
    const QPalette before = QApplication::palette();
    for (const QRgb accent : {0xff308cc6, 0xff3584e4, 0xffe95420, 0xfff5c211, 0xff1a5fb4}) {
        QPalette desktop = before;
        desktop.setColor(QPalette::Highlight, QColor::fromRgb(accent));
        theme::applyDesktop(desktop);
        CHECK(contrast(theme::accent(QApplication::palette()), theme::accentText(QApplication::palette())) >= 4.4);
        if (accent == 0xff308cc6) CHECK(theme::accentText(QApplication::palette()) == QColor(Qt::white));
    }
    for (const bool dark : {false, true}) {
        theme::apply(dark);
        CHECK(contrast(theme::accent(QApplication::palette()), theme::accentText(QApplication::palette())) >= 4.4);
    }
    theme::apply(false);
}
