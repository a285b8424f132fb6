#pragma once
/// Asks how a figure is written, with a preview drawn by the very code that writes it.

#include "ui/plot/figures.h"

#include <QDialog>

#include <functional>

class QCheckBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLayout;
class QLineEdit;
class QPushButton;
class QTimer;

namespace lw::ui {

class Segmented;

class ExportDialog : public QDialog {
    Q_OBJECT
public:
    using Render = std::function<FigureResult(const FigureOptions&)>;

    /// `start` fills the form; `render` draws and writes.
    ExportDialog(const FigureOptions& start, Render render, QWidget* parent = nullptr);
    [[nodiscard]] FigureOptions options() const;
    [[nodiscard]] const std::vector<std::filesystem::path>& written() const { return m_written; }
    void done(int result) override;
    /// Whether a file that is there already may be replaced; asked only when the path was not confirmed in the file chooser.
    void setMayReplace(std::function<bool(const QString& path)> mayReplace) { m_mayReplace = std::move(mayReplace); }

private:
    void build(const FigureOptions& start);
    void chooseFile();
    void formatChosen(int id);
    void pathEdited();
    void preview();
    [[nodiscard]] Segmented* buildBands(const FigureOptions& start);
    [[nodiscard]] QFormLayout* buildForm(const FigureOptions& start);
    [[nodiscard]] QLayout* buildFile(const FigureOptions& start);
    [[nodiscard]] bool askReplace(const QString& path);
    QDoubleSpinBox* number(const QString& name, double low, double high, double value, const QString& suffix);

    FigureOptions m_start;
    Render m_render;
    std::function<bool(const QString&)> m_mayReplace;
    QString m_confirmed;  ///< path that the file chooser already asked about
    std::vector<std::filesystem::path> m_written;
    QLineEdit* m_path = nullptr;
    QLineEdit* m_title = nullptr;
    Segmented* m_format = nullptr;
    Segmented* m_theme = nullptr;
    Segmented* m_bands = nullptr;  ///< curves with intervals only
    QDoubleSpinBox* m_width = nullptr;
    QDoubleSpinBox* m_height = nullptr;
    QDoubleSpinBox* m_dpi = nullptr;
    QCheckBox* m_csv = nullptr;
    QCheckBox* m_npz = nullptr;
    QLabel* m_preview = nullptr;
    QLabel* m_error = nullptr;
    QPushButton* m_save = nullptr;
    QTimer* m_timer = nullptr;
};

}  // namespace lw::ui
