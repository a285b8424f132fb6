/// What the Curves page tells the details panel, compares, evaluates and writes.
#include "ui/pages/curves_evaluate.h"
#include "ui/pages/curves_page.h"
#include "ui/pages/curves_table.h"
#include "ui/plot/curve_plot.h"
#include "ui/plot/export_dialog.h"
#include "ui/plot/number_text.h"
#include "ui/session.h"

#include "core/api/export.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMimeData>

#include <algorithm>
#include <cmath>

namespace lw::ui {

void CurvesPage::setReference(const QString& title) {
    m_referenceTitle = title;
    session()->settings().setValue(QStringLiteral("curves/reference"), title);
    loadTest();
}

/// The chosen reference, else the first line with several seeds that is not the current run's, else any other line.
void CurvesPage::loadTest() {
    m_test = {};
    m_model->setReference(m_test, std::nullopt);
    const auto& lines = m_loaded.set.lines;
    if (lines.size() < 2 || m_loaded.mode != CurvesMode::perplexity) return;
    std::size_t reference = lines.size();
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (QString::fromStdString(lines[i].title) == m_referenceTitle) reference = i;
    const auto other = [&](std::int64_t seeds) {
        for (std::size_t i = 0; i < lines.size() && reference == lines.size(); ++i)
            if (lines[i].seeds >= seeds && !m_loaded.content.series[i].bold) reference = i;
    };
    other(2);
    other(1);
    std::vector<std::filesystem::path> first, rest;
    const int index = m_loaded.lineRun[reference];
    if (index < 0) return;
    const QString group = m_runs[static_cast<std::size_t>(index)].group;
    for (const CurveRun& run : m_runs) {
        if (m_loaded.missing.contains(run.title)) continue;
        (run.group == group ? first : rest).push_back(run.folder);
    }
    first.insert(first.end(), rest.begin(), rest.end());
    session()->compute().run<ReferenceTable>(
        QStringLiteral("curves test"), [first, protocol = m_protocol, name = QString::fromStdString(lines[reference].title)](const lw::RunContext&) { return loadReference(first, protocol, name); }, this,
        [this](lw::Result<ReferenceTable> table) {
            if (!table.ok()) return;
            m_test = std::move(table).value();
            m_model->setReference(m_test, m_selected ? std::optional<std::int64_t>(std::llround(*m_selected)) : std::nullopt);
            m_table->arrange();
            describe();
        });
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
        int current = -1;
        for (std::size_t i = 0; i < m_loaded.content.series.size(); ++i)
            if (m_loaded.content.series[i].bold) current = static_cast<int>(i);
        if (current >= 0) {
            const QString name = m_loaded.content.series[static_cast<std::size_t>(current)].title;
            const auto found = m_test.cells.find({name.toStdString(), std::llround(length)});
            section.text = found != m_test.cells.end() ? QString::fromStdString(found->second.sentence) : m_test.problem;
        }
        section.actions.push_back({tr("Open maps at %1").arg(integerText(std::llround(length))), [this, length, current] { openMaps(length, current); }});
    }
    session()->setDetails(QStringLiteral("point"), section);
}

void CurvesPage::describeProtocol() {
    DetailSection section;
    if (m_loaded.mode == CurvesMode::perplexity && !m_loaded.set.lines.empty()) {
        section.heading = tr("Protocol");
        section.text = protocolHelp(QString::fromStdString(m_protocol));
        section.facts.push_back({tr("Scored"), QString::fromStdString(m_loaded.set.protocol_line), {}});
        const lw::CurveLine& line = m_loaded.set.lines.front();
        if (!line.tokens.empty()) section.facts.push_back({tr("Tokens per length"), integerText(std::llround(*std::max_element(line.tokens.begin(), line.tokens.end()))), {}});
        section.facts.push_back({tr("Intervals"), QString::fromStdString(line.band), {}});
    }
    session()->setDetails(QStringLiteral("protocol"), section);
}

void CurvesPage::evaluate() {
    const auto runs = session()->shownRuns();
    if (runs.empty()) return session()->notice(tr("Tick the runs to evaluate first."));
    QStringList titles, missing, all, without;
    for (const RunEntry* run : runs) {
        titles << run->title();
        all << run->key;
        const bool measured = std::any_of(m_loaded.set.lines.begin(), m_loaded.set.lines.end(), [&](const lw::CurveLine& line) {
            return std::any_of(line.runs.begin(), line.runs.end(), [&](const std::string& name) { return name == run->info.id || name == run->info.folder.string(); });
        });
        if (measured) continue;
        missing << run->title();
        without << run->key;
    }
    lw::EvaluationSpec start = runs.front()->info.recipe.evaluation;
    start.protocol = m_protocol;
    EvaluateDialog dialog(start, titles, missing, this);
    if (dialog.exec() != QDialog::Accepted) return;
    const EvaluateChoice choice = dialog.choice();
    if (choice.spec.protocol != m_protocol) {
        m_protocol = choice.spec.protocol;
        m_loaded.set = {};
        updateProtocolButton();
    }
    session()->evaluateRuns(choice.onlyMissing ? without : all, choice.spec);
}

std::string CurvesPage::stateJson() const {
    QJsonArray runs;
    for (const CurveRun& run : m_runs) {
        QJsonObject object{{QStringLiteral("id"), QString::fromStdString(run.id)}, {QStringLiteral("title"), run.title}};
        for (const RunEntry& entry : session()->runs())
            if (entry.info.folder == run.folder) object[QStringLiteral("recipe")] = QJsonDocument::fromJson(QByteArray::fromStdString(lw::recipe_json(entry.info.recipe))).object();
        runs.append(object);
    }
    static constexpr const char* kModes[] = {"perplexity", "position", "training"};
    const QJsonObject state{{QStringLiteral("program"), QStringLiteral("Lengthwise " LW_VERSION)},
                            {QStringLiteral("figure"), QLatin1String(kModes[static_cast<int>(m_loaded.mode)])},
                            {QStringLiteral("protocol"), QString::fromStdString(m_protocol)},
                            {QStringLiteral("protocol_line"), QString::fromStdString(m_loaded.set.protocol_line)},
                            {QStringLiteral("log_y"), m_plot->logY()},
                            {QStringLiteral("runs"), runs}};
    return QJsonDocument(state).toJson().toStdString();
}

FigureOptions CurvesPage::figureOptions() const {
    FigureOptions options;
    const QString folder = session()->settings().value(QStringLiteral("export/folder"), QDir::homePath()).toString();
    options.path = QDir(folder).filePath(m_loaded.mode == CurvesMode::perplexity ? tr("perplexity.pdf") : m_loaded.mode == CurvesMode::position ? tr("loss-by-position.pdf") : tr("training-loss.pdf")).toStdString();
    options.log_y = m_plot->logY();
    options.bands = m_plot->intervals() != Intervals::none;
    options.state = stateJson();
    return options;
}

void CurvesPage::copyFigure() {
    if (!canExport()) return;
    auto mime = std::make_unique<QMimeData>();
    mime->setImageData(m_plot->image());
    mime->setText(m_loaded.mode == CurvesMode::perplexity ? m_model->text() : m_plot->tableText());
    QApplication::clipboard()->setMimeData(mime.release());
    session()->notice(tr("Copied the picture and its numbers."));
}

void CurvesPage::exportFigure() {
    if (!canExport()) return;
    // The content carries colours and the current run; the set, when there is one, the numbers with their protocol.
    QString table = m_plot->tableText();
    const std::string numbers = m_loaded.mode == CurvesMode::perplexity ? lw::curves_csv(m_loaded.set) : table.replace(QLatin1Char('\t'), QLatin1Char(',')).toStdString();
    std::vector<int> styles;
    for (const CurveSeries& series : m_loaded.content.series) styles.push_back(series.style);
    const auto render = [this, numbers, styles](const FigureOptions& wanted) {
        FigureOptions options = wanted;
        options.styles = styles;
        return options.npz && m_loaded.mode == CurvesMode::perplexity ? render_curves_figure(m_loaded.set, options) : render_content_figure(m_loaded.content, numbers, options);
    };
    ExportDialog dialog(figureOptions(), render, this);
    if (dialog.exec() != QDialog::Accepted) return;
    const QFileInfo info(QString::fromStdString(dialog.options().path.string()));
    session()->settings().setValue(QStringLiteral("export/folder"), info.absolutePath());
    session()->notice(tr("Saved %1 with its numbers.").arg(info.fileName()));
}

}  // namespace lw::ui
