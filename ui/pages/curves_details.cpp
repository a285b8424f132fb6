/// What the Curves page tells the details panel, compares, evaluates and writes.
#include "ui/forms/save_figure.h"
#include "ui/pages/curves_evaluate.h"
#include "ui/pages/curves_page.h"
#include "ui/pages/curves_table.h"
#include "ui/plot/curve_plot.h"
#include "ui/plot/figures.h"
#include "ui/plot/number_text.h"
#include "ui/session.h"

#include "core/api/export.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>
#include <set>

namespace lw::ui {

QString scoredText(const QString& protocolLine) {
    const QStringList ways = protocolLine.split(QStringLiteral(" | "));
    if (ways.size() < 2) return protocolLine;
    return ways.size() == 2 ? CurvesPage::tr("%1; one other way in some runs").arg(ways.front()) : CurvesPage::tr("%1; %2 other ways in some runs").arg(ways.front()).arg(ways.size() - 1);
}

void CurvesPage::setReference(const QString& line) {
    m_referenceLine = line;
    session()->settings().setValue(QStringLiteral("curves/reference"), line);
    loadTest();
}

std::optional<ReferenceRequest> CurvesPage::referenceRequest() const {
    const auto& lines = m_loaded.set.lines;
    if (lines.size() < 2 || m_loaded.mode != CurvesMode::perplexity) return std::nullopt;
    ReferenceRequest request;
    request.protocol = m_protocol;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const CurveSeries& series = m_loaded.content.series[i];
        ReferenceLine line{lineKey(lines[i]), series.title, {}, 0, series.bold};
        std::set<std::uint64_t> seeds;
        for (const std::size_t run : runsOfLine(lines[i], m_loaded.runs)) {
            line.folders.push_back(m_loaded.runs[run].evaluations);
            seeds.insert(m_loaded.runs[run].seed);
        }
        line.seeds = seeds.size();
        if (line.key == m_referenceLine.toStdString() || series.title == m_referenceLine) request.chosen = i;
        request.lines.push_back(std::move(line));
    }
    return request;
}

void CurvesPage::loadTest() {
    m_test = {};
    m_model->setReference(m_test, std::nullopt);
    session()->compute().cancelChannel(QStringLiteral("curves test"));
    const auto request = referenceRequest();
    m_testStopped = false;
    if (!request) return;
    session()->compute().run<ReferenceTable>(
        QStringLiteral("curves test"), [request = *request](const lw::RunContext& context) { return loadReference(request, context); }, this,
        [this](lw::Result<ReferenceTable> table) {
            m_testStopped = !table.ok() && table.error().kind == lw::ErrorKind::cancelled;
            if (!table.ok()) return;
            m_test = std::move(table).value();
            m_model->setReference(m_test, m_selected ? std::optional<std::int64_t>(std::llround(*m_selected)) : std::nullopt);
            m_table->arrange();
            describe();
        });
}

/// What the test says of the current run's line at a length, or why it says nothing.
QString CurvesPage::comparisonText(double length) const {
    for (std::size_t i = 0; i < m_loaded.set.lines.size(); ++i) {
        if (!m_loaded.content.series[i].bold) continue;
        const std::string key = lineKey(m_loaded.set.lines[i]);
        if (const auto found = m_test.cells.find({key, std::llround(length)}); found != m_test.cells.end()) return QString::fromStdString(found->second.sentence);
        if (const auto problem = m_test.problems.find(key); problem != m_test.problems.end()) return problem->second;
        return m_test.problem;
    }
    return {};
}

void CurvesPage::describe() {
    if (!isVisible()) return;
    describeProtocol();
    DetailSection section;
    if (m_loaded.mode == CurvesMode::perplexity && m_selected && !m_loaded.content.series.empty()) {
        const double length = *m_selected, trained = m_loaded.content.trainLength;
        const double times = trained > 0 ? length / trained : 0;
        section.title = times >= 1.5 ? tr("T = %1, %2 times the training length").arg(integerText(std::llround(length)), numberText(times, std::abs(times - std::round(times)) < 1e-6 ? 0 : 1))
                                     : tr("T = %1").arg(integerText(std::llround(length)));
        section.heading = tr("Length");
        section.text = comparisonText(length);
        section.actions.push_back({tr("Open maps at %1").arg(integerText(std::llround(length))), [this, length] { openMaps(length, -1); }});
    }
    session()->setDetails(QStringLiteral("point"), section);
}

void CurvesPage::describeProtocol() {
    DetailSection section;
    if (m_loaded.mode == CurvesMode::perplexity && !m_loaded.set.lines.empty()) {
        section.heading = tr("Protocol");
        section.text = protocolHelp(QString::fromStdString(m_protocol));
        section.facts.push_back({tr("Scored"), scoredText(QString::fromStdString(m_loaded.set.protocol_line)), {}});
        for (const std::string& warning : m_loaded.set.warnings) section.facts.push_back({tr("Not alike"), QString::fromStdString(warning), {}});
        QStringList tokens;
        for (const CurveRun& run : m_loaded.runs)
            if (!tokens.contains(run.tokens)) tokens << run.tokens;
        section.facts.push_back({tr("Tokenizer"), tokens.join(tr("; ")), {}});
        const lw::CurveLine& line = m_loaded.set.lines.front();
        if (!line.candidates.empty()) {
            const double share = 100 * line.tokens.back() / line.candidates.back();
            section.facts.push_back(
                {tr("Key tokens"),
                 tr("%1 of %2 (%3 %) at %4, %5")
                     .arg(integerText(std::llround(line.tokens.back())), integerText(std::llround(line.candidates.back())), numberText(share, 2),
                          integerText(std::llround(line.length.back())), m_loaded.content.series.front().title),
                 {}});
        } else if (!line.tokens.empty())
            section.facts.push_back(
                {tr("Tokens per length"), integerText(std::llround(*std::max_element(line.tokens.begin(), line.tokens.end()))), {}});
        section.facts.push_back({tr("Intervals"), QString::fromStdString(line.band), {}});
    }
    session()->setDetails(QStringLiteral("protocol"), section);
}

/// Runs of tasks have no perplexity at all.
QStringList CurvesPage::withoutProtocol(const std::string& protocol) const {
    QStringList keys;
    for (const RunEntry* run : session()->shownRuns())
        if (!run->isTask() && !run->protocols.contains(QString::fromStdString(protocol))) keys << run->key;
    return keys;
}

void CurvesPage::evaluate() {
    auto runs = session()->shownRuns();
    if (runs.empty()) return session()->notice(tr("Tick the runs to evaluate first."));
    std::erase_if(runs, [](const RunEntry* run) { return run->isTask(); });
    if (runs.empty()) return session()->notice(tr("Tick runs that were trained on text; those of tasks are measured on the Tasks page."));
    std::vector<EvaluateDialog::Named> named;
    QStringList all;
    for (const RunEntry* run : runs) {
        named.emplace_back(run->title(), run->info.folder);
        all << run->key;
    }
    const lw::EvaluationSpec start = lw::evaluation_spec(runs.front()->info.recipe, m_protocol);
    const auto missing = [this](const std::string& protocol) {
        QStringList names;
        for (const QString& key : withoutProtocol(protocol)) names << session()->findRun(key)->title();
        return names;
    };
    EvaluateDialog dialog(start, named, missing, this);
    if (dialog.exec() != QDialog::Accepted) return;
    const EvaluateChoice choice = dialog.choice();
    if (choice.spec.protocol != m_protocol) setProtocol(choice.spec.protocol);
    session()->evaluateRuns(choice.onlyMissing ? withoutProtocol(choice.spec.protocol) : all, choice.spec);
}

std::string CurvesPage::stateJson() const {
    QJsonArray runs;
    for (const CurveRun& run : m_loaded.runs) {
        QJsonObject object{{QStringLiteral("id"), QString::fromStdString(run.id)}, {QStringLiteral("title"), run.title}};
        if (const RunEntry* entry = session()->findRun(run.key)) object[QStringLiteral("recipe")] = QJsonDocument::fromJson(QByteArray::fromStdString(lw::recipe_json(entry->info.recipe))).object();
        runs.append(object);
    }
    QJsonArray warnings;
    for (const std::string& warning : m_loaded.set.warnings) warnings.append(QString::fromStdString(warning));
    static constexpr const char* kModes[] = {"perplexity", "position", "training"};
    const QJsonObject state{{QStringLiteral("program"), QStringLiteral("Lengthwise " LW_VERSION)},
                            {QStringLiteral("figure"), m_loaded.beyond ? QStringLiteral("position beyond L") : QLatin1String(kModes[static_cast<int>(m_loaded.mode)])},
                            {QStringLiteral("protocol"), QString::fromStdString(m_protocol)},
                            {QStringLiteral("protocol_line"), QString::fromStdString(m_loaded.set.protocol_line)},
                            {QStringLiteral("warnings"), warnings},
                            {QStringLiteral("log_y"), m_plot->logY()},
                            {QStringLiteral("runs"), runs}};
    return QJsonDocument(state).toJson().toStdString();
}

FigureOptions CurvesPage::figureOptions() const {
    FigureOptions options = exportOptions(session()->settings(), m_loaded.mode == CurvesMode::perplexity ? tr("perplexity") : m_loaded.mode == CurvesMode::training ? tr("training-loss") : m_loaded.beyond ? tr("loss-beyond-L") : tr("loss-by-position"));
    options.log_y = m_plot->logY();
    setIntervalOptions(options, *m_plot);
    options.caption = m_loaded.mode == CurvesMode::training ? std::string() : lw::measured_words(m_loaded.set);
    if (!m_loaded.warning.isEmpty() && options.caption.find("cannot be compared") == std::string::npos)
        options.caption += (options.caption.empty() ? "" : "\n") + m_loaded.warning.toStdString() + ".";
    options.state = stateJson();
    return options;
}

/// With its protocol where it has one; published values are named as such.
std::string CurvesPage::numbers() const {
    if (m_loaded.mode != CurvesMode::perplexity) return contentCsv(m_loaded.content);
    std::string csv = lw::curves_csv(namedById(m_loaded.set, m_loaded.runs));
    for (std::size_t s = m_loaded.set.lines.size(); s < m_loaded.content.series.size(); ++s) {
        const CurveSeries& series = m_loaded.content.series[s];
        for (std::size_t i = 0; i < series.x.size(); ++i) csv += QStringLiteral("# %1: %2 at %3\n").arg(series.title).arg(series.y[i]).arg(series.x[i]).toStdString();
    }
    return csv;
}

void CurvesPage::copyFigure() {
    if (!canExport()) return;
    m_plot->copyToClipboard();
    session()->notice(tr("Copied the picture and its numbers."));
}

void CurvesPage::exportFigure() {
    if (!canExport()) return;
    exportWith(figureOptions(), [this](const FigureOptions& options) { return render_content_figure(m_loaded.content, numbers(), options); }, session(), this);
}

}  // namespace lw::ui
