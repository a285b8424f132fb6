/// Words and looks of cells and studies. See studies_data.h.
#include "ui/forms/amount_text.h"
#include "ui/jobs/study_job.h"
#include "ui/pages/studies_data.h"
#include "ui/plot/number_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace lw::ui {

namespace {

using Tone = CellLook::Tone;

QString translate(const char* text) { return QCoreApplication::translate("Studies", text); }

QString ofText(std::int64_t done, std::int64_t all) { return QStringLiteral("%1 / %2").arg(integerText(done), integerText(all)); }

double shareOf(std::int64_t done, std::int64_t all) { return all > 0 ? std::clamp(static_cast<double>(done) / static_cast<double>(all), 0.0, 1.0) : -1; }

CellLook finishedLook(const lw::StudyCell& cell, const CellNumbers& numbers) {
    const auto found = numbers.find(cell.id);
    if (found == numbers.end()) return {Tone::done, QStringLiteral("✓"), translate("finished"), translate("Trained and measured."), -1};
    const CellNumber& number = found->second;
    const QString text = number.accuracy ? translate("%1 %").arg(numberText(100 * number.value, 1)) : numberText(number.value, number.value < 1000 ? 1 : 0);
    const QString help = (number.accuracy ? translate("Trained and measured: accuracy %1 at length %2.") : translate("Trained and measured: perplexity %1 at length %2.")).arg(text, integerText(number.length));
    return {Tone::done, QStringLiteral("✓"), text, help, -1};
}

CellLook trainingLook(const lw::StudyCell& cell, std::int64_t step) {
    const std::int64_t steps = cell.recipe.training.steps;
    return {Tone::busy, QStringLiteral("▶"), ofText(step, steps), translate("In training: step %1 of %2.").arg(integerText(step), integerText(steps)), shareOf(step, steps)};
}

CellLook measuringLook(const lw::StudyCell& cell, std::int64_t measured) {
    const auto lengths = static_cast<std::int64_t>(cell.recipe.evaluation.lengths.size());
    return {Tone::busy, QStringLiteral("◐"), lengths > 0 ? translate("length %1").arg(ofText(measured, lengths)) : translate("measured"), translate("Trained, and being measured at its lengths."), shareOf(measured, lengths)};
}

CellLook stoppedLook(const lw::StudyCell& cell) {
    const std::int64_t steps = cell.recipe.training.steps;
    return {Tone::quiet, QStringLiteral("‖"), ofText(cell.step, steps), translate("Stopped at step %1 of %2; it goes on from its last checkpoint.").arg(integerText(cell.step), integerText(steps)), shareOf(cell.step, steps)};
}

CellLook waitingLook(const lw::StudyCell& cell) {
    const QString first = cell.priority > 0 ? translate("first") : translate("waiting");
    return {Tone::quiet, QStringLiteral("○"), first, cell.priority > 0 ? translate("Not begun; it was put before the others.") : translate("Not begun."), -1};
}

QString withMessage(const QString& sentence, const lw::StudyCell& cell) { return cell.message.empty() ? sentence : QString::fromStdString(cell.message); }

}  // namespace

QString numbersText(const CellNumbers& numbers) {
    if (numbers.empty()) return {};
    const CellNumber& first = numbers.begin()->second;
    const auto all = [&](const auto& same) { return std::all_of(numbers.begin(), numbers.end(), [&](const auto& number) { return same(number.second); }); };
    if (!all([&](const CellNumber& number) { return number.accuracy == first.accuracy; })) return translate("Numbers: perplexity, or of tasks the share of right tokens, at the training length.");
    const QString length = all([&](const CellNumber& number) { return number.length == first.length; }) ? translate("%1 tokens").arg(integerText(first.length)) : translate("the training length");
    return (first.accuracy ? translate("Numbers: share of right tokens at %1.") : translate("Numbers: perplexity at %1.")).arg(length);
}

CellLook cellLook(const lw::StudyCell& cell, const StudyLive& live, const CellNumbers& numbers) {
    const std::string& state = cell.state;
    if (state == "finished") return finishedLook(cell, numbers);
    if (!live.cell.empty() && live.cell == cell.id) return measuringLook(cell, live.measured);
    if (state == "running") return trainingLook(cell, !live.run.empty() && live.run == cell.run ? std::max(live.step, cell.step) : cell.step);
    if (state == "trained") return {Tone::quiet, QStringLiteral("◐"), translate("trained"), translate("Trained; it is still to be measured."), -1};
    if (state == "stopped") return stoppedLook(cell);
    if (state == "failed") return {Tone::bad, QStringLiteral("✕"), translate("failed"), withMessage(translate("It failed."), cell), -1};
    if (state == "diverged") return {Tone::bad, QStringLiteral("∿"), translate("diverged"), withMessage(translate("Its loss was no finite number any more."), cell), -1};
    if (state == "blocked") return {Tone::quiet, QStringLiteral("⊘"), translate("blocked"), withMessage(translate("It goes on with a run that is not there yet."), cell), -1};
    return waitingLook(cell);
}

QString cellName(const lw::StudyCell& cell) { return translate("%1, %2, seed %3").arg(QString::fromStdString(cell.scheme), QString::fromStdString(cell.setting)).arg(cell.seed); }

bool hasFailed(const lw::StudyCell& cell) { return cell.state == "failed" || cell.state == "diverged"; }

QString countsText(const lw::StudyStatus& status) {
    QStringList parts{translate("%1 of %2 finished").arg(status.count("finished")).arg(status.cells.size())};
    if (const auto failed = status.count("failed"); failed > 0) parts << translate("%1 failed").arg(failed);
    if (const auto diverged = status.count("diverged"); diverged > 0) parts << translate("%1 diverged").arg(diverged);
    return parts.join(QStringLiteral(", "));
}

QString summaryText(const lw::StudyStatus& status, const std::optional<lw::StudyEstimate>& estimate) {
    QStringList parts{countsText(status)};
    if (estimate && estimate->seconds > 0) parts << translate("about %1 left").arg(roughTime(estimate->seconds));
    if (estimate && estimate->bytes > 0) parts << translate("needs %1 of %2").arg(bytesText(estimate->bytes), bytesText(estimate->bytes_available));
    return parts.join(QStringLiteral(", "));
}

}  // namespace lw::ui
