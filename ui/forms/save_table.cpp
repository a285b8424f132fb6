/// See save_table.h.
#include "ui/forms/save_table.h"

#include "core/api/export.h"
#include "ui/session.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

namespace lw::ui {

namespace {

const QString kFolder = QStringLiteral("export/folder");  // as of figures

}  // namespace

void saveTable(const QString& name, const std::string& csv, Session* session, QWidget* parent) {
    const QString start = QDir(session->settings().value(kFolder, QDir::homePath()).toString()).filePath(name + QStringLiteral(".csv"));
    QFileDialog dialog(parent, QFileDialog::tr("Save table"), start, QFileDialog::tr("Comma-separated values (*.csv)"));
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(QStringLiteral("csv"));  // so that it asks about the file that is written
    dialog.selectFile(QFileInfo(start).fileName());
    if (dialog.exec() == QDialog::Accepted && !dialog.selectedFiles().isEmpty()) writeTable(dialog.selectedFiles().front(), csv, session);
}

void writeTable(const QString& path, const std::string& csv, Session* session) {
    QFileInfo file(path);
    if (file.suffix().isEmpty()) file.setFile(path + QStringLiteral(".csv"));
    if (const auto written = lw::write_text_file(file.filePath().toStdString(), csv); !written.ok()) return session->report(written.error(), Session::tr("Saving a table"));
    session->settings().setValue(kFolder, file.absolutePath());
    session->notice(Session::tr("Saved %1.").arg(file.fileName()));
}

}  // namespace lw::ui
