/// See export_dialog.h.
#include "ui/plot/export_dialog.h"

#include "ui/plot/segmented.h"
#include "ui/theme.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTimer>

namespace lw::ui {

namespace {
constexpr const char* kEndings[] = {"pdf", "svg", "png"};
enum Bands { kNoBands = 0, kFewBands, kAllBands };

/// A name that is not taken yet: a proposal must not lead to the loss of an older figure.
QString freePath(const QString& path) {
    const QFileInfo info(path);
    QString free = path;
    for (int n = 2; QFileInfo::exists(free); ++n) free = QStringLiteral("%1/%2-%3.%4").arg(info.path(), info.completeBaseName()).arg(n).arg(info.suffix());
    return free;
}

}  // namespace

ExportDialog::ExportDialog(const FigureOptions& start, Render render, QWidget* parent) : QDialog(parent), m_start(start), m_render(std::move(render)), m_timer(new QTimer(this)) {
    setWindowTitle(tr("Export figure"));
    setObjectName(QStringLiteral("exportDialog"));
    m_timer->setSingleShot(true);
    m_timer->setInterval(120);
    connect(m_timer, &QTimer::timeout, this, &ExportDialog::preview);
    build(start);
    pathEdited();
    m_timer->start();
}

QDoubleSpinBox* ExportDialog::number(const QString& name, double low, double high, double value, const QString& suffix) {
    auto* box = new QDoubleSpinBox(this);
    box->setObjectName(name);
    box->setDecimals(0);
    box->setRange(low, high);
    box->setCorrectionMode(QAbstractSpinBox::CorrectToNearestValue);
    box->setValue(value);
    box->setSuffix(suffix);
    connect(box, &QDoubleSpinBox::valueChanged, m_timer, qOverload<>(&QTimer::start));
    return box;
}

QLayout* ExportDialog::buildFile(const FigureOptions& start) {
    m_path = new QLineEdit(freePath(QString::fromStdString(start.path.string())), this);
    m_path->setObjectName(QStringLiteral("exportPath"));
    m_path->setMinimumWidth(280);
    auto* choose = new QPushButton(tr("Choose…"), this);
    auto* file = new QHBoxLayout;
    file->addWidget(m_path, 1);
    file->addWidget(choose);
    connect(choose, &QPushButton::clicked, this, &ExportDialog::chooseFile);
    connect(m_path, &QLineEdit::textEdited, this, &ExportDialog::pathEdited);
    return file;
}

Segmented* ExportDialog::buildBands(const FigureOptions& start) {
    m_bands = new Segmented(this);
    m_bands->setObjectName(QStringLiteral("exportBands"));
    m_bands->add(kNoBands, tr("None"));
    m_bands->add(kFewBands, tr("Selected"), tr("Of all lines up to four, else of the selected one alone."));
    m_bands->add(kAllBands, tr("All"));
    m_bands->setCurrent(!start.bands ? kNoBands : start.few_bands ? kFewBands : kAllBands);
    connect(m_bands, &Segmented::chosen, m_timer, qOverload<>(&QTimer::start));
    return m_bands;
}

QFormLayout* ExportDialog::buildForm(const FigureOptions& start) {
    m_format = new Segmented(this);
    m_format->setObjectName(QStringLiteral("exportFormat"));
    m_format->add(0, QStringLiteral("PDF"), tr("Vectors, for papers"));
    m_format->add(1, QStringLiteral("SVG"), tr("Vectors, to edit further"));
    m_format->add(2, QStringLiteral("PNG"), tr("Pixels"));
    m_theme = new Segmented(this);
    m_theme->add(0, tr("Light"));
    m_theme->add(1, tr("Dark"));
    m_theme->setCurrent(start.dark ? 1 : 0);
    m_title = new QLineEdit(QString::fromStdString(start.title), this);
    m_title->setPlaceholderText(tr("none"));
    m_width = number(QStringLiteral("exportWidth"), 20, 2000, start.width_mm, tr(" mm"));
    m_height = number(QStringLiteral("exportHeight"), 0, 2000, start.height_mm, tr(" mm"));
    m_height->setSpecialValueText(tr("by content"));
    m_dpi = number(QStringLiteral("exportDpi"), 36, 1200, start.dpi, tr(" dpi"));
    m_csv = new QCheckBox(tr("Numbers as CSV beside it"), this);
    m_csv->setChecked(start.csv);
    m_npz = new QCheckBox(tr("Numbers as NPZ beside it"), this);
    m_npz->setChecked(start.npz);
    m_npz->setObjectName(QStringLiteral("exportNpz"));
    auto* form = new QFormLayout;
    form->addRow(tr("Title"), m_title);
    form->addRow(tr("Format"), m_format);
    form->addRow(tr("Width"), m_width);
    form->addRow(tr("Height"), m_height);
    form->addRow(tr("Resolution"), m_dpi);
    form->addRow(tr("Theme"), m_theme);
    if (start.ask_bands) form->addRow(tr("Intervals"), buildBands(start));
    form->addRow(QString(), m_csv);
    form->addRow(QString(), m_npz);
    form->addRow(tr("File"), buildFile(start));
    connect(m_format, &Segmented::chosen, this, &ExportDialog::formatChosen);
    connect(m_theme, &Segmented::chosen, m_timer, qOverload<>(&QTimer::start));
    connect(m_title, &QLineEdit::textChanged, m_timer, qOverload<>(&QTimer::start));
    return form;
}

void ExportDialog::build(const FigureOptions& start) {
    m_preview = new QLabel(this);
    m_preview->setFixedSize(460, 340);
    m_preview->setAlignment(Qt::AlignCenter);
    m_preview->setAccessibleName(tr("Preview"));
    m_error = new QLabel(this);
    m_error->setObjectName(QStringLiteral("exportError"));
    m_error->setWordWrap(true);
    QPalette red = m_error->palette();
    red.setColor(QPalette::WindowText, theme::error(palette()));
    m_error->setPalette(red);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_save = buttons->addButton(tr("Export"), QDialogButtonBox::AcceptRole);
    m_save->setDefault(true);
    auto* left = new QVBoxLayout;
    left->addLayout(buildForm(start));
    left->addWidget(m_error);
    left->addStretch();
    left->addWidget(buttons);
    auto* all = new QHBoxLayout(this);
    all->setContentsMargins(16, 16, 16, 16);
    all->setSpacing(24);
    all->addLayout(left, 1);
    all->addWidget(m_preview);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

FigureOptions ExportDialog::options() const {
    FigureOptions options = m_start;
    options.path = m_path->text().toStdString();
    options.title = m_title->text().toStdString();
    options.width_mm = m_width->value();
    options.height_mm = m_height->value();
    options.dpi = m_dpi->value();
    options.dark = m_theme->current() == 1;
    if (m_bands != nullptr) {
        options.bands = m_bands->current() != kNoBands;
        options.few_bands = m_bands->current() == kFewBands;
    }
    options.csv = m_csv->isChecked();
    options.npz = m_npz->isChecked();
    return options;
}

void ExportDialog::chooseFile() {
    const QString path = QFileDialog::getSaveFileName(this, tr("Export figure"), m_path->text(), tr("PDF (*.pdf);;SVG (*.svg);;PNG (*.png)"));
    if (path.isEmpty()) return;
    m_path->setText(path);
    m_confirmed = path;
    pathEdited();
}

void ExportDialog::formatChosen(int id) {
    const QFileInfo info(m_path->text());
    m_path->setText(freePath(QStringLiteral("%1/%2.%3").arg(info.path(), info.completeBaseName(), QLatin1String(kEndings[id]))));
    pathEdited();
}

void ExportDialog::pathEdited() {
    const QString ending = QFileInfo(m_path->text()).suffix().toLower();
    for (int i = 0; i < 3; ++i)
        if (ending == QLatin1String(kEndings[i])) m_format->setCurrent(i);
    m_dpi->setEnabled(m_format->current() == 2);
    m_error->clear();
}

void ExportDialog::preview() {
    const QTemporaryDir folder;
    FigureOptions sketch = options();
    sketch.path = folder.filePath(QStringLiteral("preview.png")).toStdString();
    sketch.csv = sketch.npz = false;
    const double room = std::min(m_preview->width() / (sketch.width_mm / 25.4), m_preview->height() / (std::max(sketch.height_mm, 40.0) / 25.4));
    sketch.dpi = std::clamp(room * devicePixelRatioF(), 36.0, 300.0);
    const FigureResult drawn = m_render(sketch);
    if (!drawn.ok()) {
        m_error->setText(QString::fromStdString(drawn.error().message));
        return;
    }
    m_error->clear();
    QPixmap picture(QString::fromStdString(sketch.path.string()));
    picture = picture.scaled(m_preview->size() * devicePixelRatioF(), Qt::KeepAspectRatio, Qt::SmoothTransformation);
    picture.setDevicePixelRatio(devicePixelRatioF());
    m_preview->setPixmap(picture);
}

bool ExportDialog::askReplace(const QString& path) {
    if (m_mayReplace) return m_mayReplace(path);
    const QString question = tr("%1 is there already. Replace it and the numbers beside it?").arg(QFileInfo(path).fileName());
    return QMessageBox::question(this, windowTitle(), question, QMessageBox::Yes | QMessageBox::Cancel, QMessageBox::Cancel) == QMessageBox::Yes;
}

void ExportDialog::done(int result) {
    if (result == QDialog::Accepted) {
        const QString path = m_path->text();
        if (QFileInfo::exists(path) && path != m_confirmed && !askReplace(path)) return;
        const FigureResult drawn = m_render(options());
        if (!drawn.ok()) {
            m_error->setText(QString::fromStdString(drawn.error().message));
            return;
        }
        m_written = drawn.value();
    }
    QDialog::done(result);
}

}  // namespace lw::ui
