/// The dialog that asks what to evaluate, and by which protocol.
#include "tests/ui/ui_support.h"
#include "ui/pages/curves_evaluate.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QSpinBox>

using namespace lw::ui;

TEST_CASE("the evaluation dialog offers the runs that lack the chosen protocol", "[ui][curves]") {
    lw::EvaluationSpec start;
    const auto missing = [](const std::string& protocol) { return protocol == "sliding" ? QStringList{QStringLiteral("RoPE")} : QStringList(); };
    EvaluateDialog dialog(start, {{QStringLiteral("RoPE"), "rope"}, {QStringLiteral("ALiBi"), "alibi"}}, missing, nullptr);
    auto* only = dialog.findChild<QAbstractButton*>(QStringLiteral("onlyMissing"));
    auto* protocol = dialog.findChild<QComboBox*>(QStringLiteral("evaluateProtocol"));
    CHECK_FALSE(only->isEnabled());
    protocol->setCurrentIndex(protocol->findData(QStringLiteral("sliding")));
    CHECK(only->isEnabled());
    CHECK(only->text().contains(QStringLiteral("RoPE")));
    CHECK(dialog.choice().onlyMissing);
}

TEST_CASE("the evaluation dialog gives back what it was given and what was ticked", "[ui][curves]") {
    lw::EvaluationSpec start;
    start.protocol = "sliding";
    start.lengths = {128, 1024};
    start.documents = 7;
    EvaluateDialog dialog(start, {{QStringLiteral("RoPE"), "rope"}, {QStringLiteral("ALiBi"), "alibi"}}, {}, nullptr);
    CHECK(dialog.choice().spec.protocol == "sliding");
    CHECK(dialog.choice().spec.lengths == start.lengths);
    CHECK(dialog.choice().spec.documents == 7);
    CHECK_FALSE(dialog.choice().onlyMissing);
    auto* box = dialog.findChild<QAbstractButton*>(QStringLiteral("length4096"));
    REQUIRE(box);
    box->click();
    CHECK(dialog.choice().spec.lengths == std::vector<std::int64_t>{128, 1024, 4096});
    for (const QString& id : protocolIds()) CHECK_FALSE(protocolHelp(id).isEmpty());
}

TEST_CASE("the evaluation dialog asks for what the protocol reads, and gives nothing else", "[ui][curves]") {
    lw::EvaluationSpec start;  // of last-k, so its numbers are for no other protocol
    start.scored = 16;
    start.stride = 8;
    EvaluateDialog dialog(start, {{QStringLiteral("RoPE"), "rope"}}, {}, nullptr);
    auto* chosen = dialog.findChild<QComboBox*>(QStringLiteral("evaluateProtocol"));
    const auto* scored = dialog.findChild<QSpinBox*>(QStringLiteral("evaluateScored"));
    const auto* stride = dialog.findChild<QSpinBox*>(QStringLiteral("evaluateStride"));
    REQUIRE((chosen && scored && stride));
    for (const lw::ProtocolInfo& protocol : lw::evaluation_protocols()) {
        chosen->setCurrentIndex(chosen->findData(QString::fromStdString(protocol.id)));
        CHECK(scored->isEnabled() == protocol.uses_scored);
        CHECK(stride->isEnabled() == protocol.uses_stride);
        CHECK(dialog.choice().spec.scored == (protocol.id == start.protocol ? 16 : 0));
        CHECK(dialog.choice().spec.stride == 0);
        CHECK(protocolName(QString::fromStdString(protocol.id)).toStdString() == protocol.name);
        CHECK(protocolHelp(QString::fromStdString(protocol.id)).toStdString() == protocol.summary);
    }
    CHECK(protocolName(QStringLiteral("of-a-later-program")) == QStringLiteral("of-a-later-program"));
}

TEST_CASE("numbers of the evaluation dialog are not carried from one protocol to another", "[ui][curves]") {
    lw::EvaluationSpec start;
    start.protocol = "sliding";
    start.stride = 64;
    EvaluateDialog dialog(start, {{QStringLiteral("RoPE"), "rope"}}, {}, nullptr);
    auto* chosen = dialog.findChild<QComboBox*>(QStringLiteral("evaluateProtocol"));
    auto* scored = dialog.findChild<QSpinBox*>(QStringLiteral("evaluateScored"));
    REQUIRE((chosen && scored));
    const auto choose = [&](const char* id) { chosen->setCurrentIndex(chosen->findData(QLatin1String(id))); };
    CHECK(dialog.choice().spec.stride == 64);
    choose("longppl");
    CHECK(dialog.choice().spec.stride == 0);
    choose("last-k");
    scored->setValue(32);
    CHECK(dialog.choice().spec.scored == 32);
    choose("dape-paper");
    CHECK(dialog.choice().spec.scored == 0);
    choose("sliding");
    CHECK(dialog.choice().spec.stride == 64);
}

TEST_CASE("the evaluation dialog asks who marks the key tokens where they are counted", "[ui][curves]") {
    const lw::EvaluationSpec start;
    EvaluateDialog dialog(start, {{QStringLiteral("RoPE"), "rope"}, {QStringLiteral("ALiBi"), "alibi"}}, {}, nullptr);
    auto* protocol = dialog.findChild<QComboBox*>(QStringLiteral("evaluateProtocol"));
    auto* evaluator = dialog.findChild<QComboBox*>(QStringLiteral("evaluateEvaluator"));
    auto* context = dialog.findChild<QSpinBox*>(QStringLiteral("evaluateShort"));
    REQUIRE((protocol && evaluator && context));
    CHECK_FALSE(evaluator->isEnabled());
    protocol->setCurrentIndex(protocol->findData(QStringLiteral("longppl")));
    CHECK(evaluator->isEnabled());
    CHECK(dialog.choice().spec.keys.evaluator.empty());
    CHECK(dialog.choice().spec.keys.short_context == 0);
    evaluator->setCurrentIndex(2);
    context->setValue(32);
    CHECK(dialog.choice().spec.keys.evaluator == "alibi");
    CHECK(dialog.choice().spec.keys.short_context == 32);
    protocol->setCurrentIndex(protocol->findData(QStringLiteral("last-k")));
    CHECK(dialog.choice().spec.keys.evaluator.empty());
}

TEST_CASE("numbers whose key tokens another run marks are new for every run", "[ui][curves]") {
    lw::EvaluationSpec start;
    start.protocol = "longppl";
    const auto missing = [](const std::string&) { return QStringList{QStringLiteral("RoPE")}; };
    EvaluateDialog dialog(start, {{QStringLiteral("RoPE"), "rope"}, {QStringLiteral("ALiBi"), "alibi"}}, missing, nullptr);
    auto* evaluator = dialog.findChild<QComboBox*>(QStringLiteral("evaluateEvaluator"));
    const auto* only = dialog.findChild<QAbstractButton*>(QStringLiteral("onlyMissing"));
    CHECK(only->isEnabled());
    CHECK(dialog.choice().onlyMissing);
    evaluator->setCurrentIndex(2);
    CHECK_FALSE(only->isEnabled());
    CHECK_FALSE(dialog.choice().onlyMissing);
    evaluator->setCurrentIndex(0);
    CHECK(dialog.choice().onlyMissing);
}
