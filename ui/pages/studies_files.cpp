/// What a study's results give to the clipboard and to files. See studies_results.h.
#include "core/api/export.h"
#include "ui/forms/save_figure.h"
#include "ui/pages/studies_results.h"
#include "ui/plot/curve_plot.h"
#include "ui/session.h"

#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>

#include <algorithm>

namespace lw::ui {

namespace {

const QString kFolder = QStringLiteral("studies/reportFolder");

QString extensionOf(const lw::ReportFormat& format) { return QString::fromStdString(format.extension); }

QString filterOf(const lw::ReportFormat& format) { return QStringLiteral("%1 (*%2)").arg(QString::fromStdString(format.summary).remove(QLatin1Char('(')).remove(QLatin1Char(')')), extensionOf(format)); }

/// By the filter that was taken, as several formats share an ending; a name typed with another format's ending means that one.
const lw::ReportFormat& formatOf(const QString& path, const QString& filter) {
    const auto& formats = lw::report_formats();
    const auto taken = std::find_if(formats.begin(), formats.end(), [&](const lw::ReportFormat& format) { return filterOf(format) == filter; });
    if (taken != formats.end() && path.endsWith(extensionOf(*taken))) return *taken;
    const auto named = std::find_if(formats.begin(), formats.end(), [&](const lw::ReportFormat& format) { return path.endsWith(extensionOf(format)); });
    return named != formats.end() ? *named : taken != formats.end() ? *taken : formats.front();
}

}  // namespace

/// As the view is: the figure with its numbers, else the report as a person would paste it.
void StudyResults::copy() {
    if (hasFigure()) {
        m_plot->copyToClipboard();
        return m_session->notice(tr("Copied the picture and its numbers."));
    }
    if (hasReport()) copyReport(shownView() == kTable ? "csv" : "text");
}

void StudyResults::exportFigure(const std::string& state) {
    if (!hasFigure()) return;
    const lw::StudyTable* shown = table();
    CurveExport what{tr("study"), QString::fromStdString(m_report.name + ": " + shown->title), state, m_curveNote->text()};
    exportCurves(*m_plot, what, m_session, this);
}

void StudyResults::copyReport(const std::string& format) {
    const auto text = lw::report_text(m_report, format);
    if (!text.ok()) return m_session->report(text.error(), tr("Copying the report"));
    QGuiApplication::clipboard()->setText(QString::fromStdString(text.value()));
    m_session->notice(tr("Copied the report as %1.").arg(QString::fromStdString(format)));
}

void StudyResults::addCopyChoices(QMenu* menu) {
    for (const lw::ReportFormat& format : lw::report_formats()) {
        QAction* action = menu->addAction(tr("Copy as %1").arg(QString::fromStdString(format.id)), this, [this, id = format.id] { copyReport(id); });
        action->setToolTip(QString::fromStdString(format.summary));
        action->setEnabled(hasReport());
    }
    menu->addSeparator();
    menu->addAction(tr("Save report…"), this, [this] { saveReport(); })->setEnabled(hasReport());
    menu->setToolTipsVisible(true);
}

void StudyResults::saveReport() {
    if (!hasReport()) return;
    QStringList filters;
    for (const lw::ReportFormat& format : lw::report_formats()) filters << filterOf(format);
    QString filter;
    const QString name = QString::fromStdString(m_report.name).replace(QLatin1Char('/'), QLatin1Char('-'));
    const QString start = QDir(m_session->settings().value(kFolder, QDir::homePath()).toString()).filePath(name);
    QString path = QFileDialog::getSaveFileName(this, tr("Save report"), start, filters.join(QStringLiteral(";;")), &filter);
    if (path.isEmpty()) return;
    const lw::ReportFormat& format = formatOf(path, filter);
    if (!path.endsWith(extensionOf(format))) {  // also "Study 1.2", whose end is no format's
        path += extensionOf(format);
        if (QFileInfo::exists(path) && QMessageBox::question(this, tr("Save report"), tr("%1 is there already. Replace it?").arg(QFileInfo(path).fileName())) != QMessageBox::Yes) return;
    }
    const auto text = lw::report_text(m_report, format.id);
    const lw::Status written = text.ok() ? lw::write_text_file(path.toStdString(), text.value()) : lw::Status(text.error());
    if (!written.ok()) return m_session->report(written.error(), tr("Saving the report"));
    m_session->settings().setValue(kFolder, QFileInfo(path).absolutePath());
    m_session->notice(tr("Saved %1.").arg(QFileInfo(path).fileName()));
}

}  // namespace lw::ui
