/// See theme_style.h.
#include "ui/theme_style.h"

#include "ui/theme.h"

#include <QPainter>
#include <QPainterPath>
#include <QProxyStyle>
#include <QStyleFactory>
#include <QStyleOption>

/// Resources of a static library are only linked when they are asked for, outside any namespace.
static void loadResources() { Q_INIT_RESOURCE(lengthwise); }

namespace lw::ui::theme {

namespace {

class FlatStyle : public QProxyStyle {
public:
    FlatStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const override {
        if (element != PE_IndicatorCheckBox) return QProxyStyle::drawPrimitive(element, option, painter, widget);
        const Qt::CheckState checked = option->state & State_NoChange ? Qt::PartiallyChecked : option->state & State_On ? Qt::Checked : Qt::Unchecked;
        const bool focus = option->state & State_HasFocus;
        paintTickBox(painter, option->rect, checked, option->state & State_Enabled, focus, option->palette);
    }

    /// Buttons of dialogs say what they do in words.
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* answer) const override {
        return hint == SH_DialogButtonBox_ButtonsHaveIcons ? 0 : QProxyStyle::styleHint(hint, option, widget, answer);
    }

    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override {
        if (metric == PM_IndicatorWidth || metric == PM_IndicatorHeight) return 14;
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
};

constexpr const char* kSheet = R"(
QMainWindow::separator { background: @line; width: 1px; height: 1px; }
QSplitter::handle { background: transparent; }
QSplitter::handle:horizontal { width: 8px; border-left: 1px solid @line; margin-left: 0px; }
QDockWidget { titlebar-close-icon: none; titlebar-normal-icon: none; color: @quiet; }
QDockWidget::title { padding: 8px 8px 2px 12px; background: transparent; }
QTabWidget#pages::pane { border: 0; border-top: 1px solid @line; }
QTabWidget#pages QTabBar::tab { padding: 8px 14px 7px 14px; border: 0; border-bottom: 2px solid transparent; color: @quiet; }
QTabWidget#pages QTabBar::tab:selected { border-bottom: 2px solid @accent; color: @text; }
QTabWidget#pages QTabBar::tab:hover:!selected { background: @raised; }
QStatusBar { border-top: 1px solid @line; background: @raised; }
QStatusBar::item { border: 0; }
QMenuBar { background: @raised; border-bottom: 1px solid @line; padding: 2px 4px; }
QMenuBar::item { padding: 4px 8px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: @line; }
QPushButton { border: 1px solid @edge; border-radius: 4px; padding: 4px 12px; background: @base; }
QPushButton[compact="true"] { padding: 1px 6px; }
QPushButton:hover { background: @raised; }
QPushButton:pressed { background: @line; }
QPushButton:focus { border-color: @accent; }
QPushButton:disabled { color: @faint; border-color: @line; }
QPushButton[primary="true"] { background: @accent; border-color: @accent; color: @onaccent; }
QPushButton[primary="true"]:disabled { background: @line; border-color: @line; color: @faint; }
QToolButton { border: 1px solid transparent; border-radius: 4px; padding: 3px 8px; background: transparent; }
QToolButton[compact="true"] { padding: 3px 0px; }
QToolButton:hover { background: @raised; border-color: @line; }
QToolButton:pressed, QToolButton:checked { background: @tint; border-color: @line; }
QToolButton:focus { border-color: @accent; }
QToolButton#runMenu { border-color: @edge; background: @base; padding: 3px 10px 2px 10px; }
QToolButton#runMenu::menu-indicator { image: none; }
QFileDialog QToolButton { padding: 1px; }
QToolButton:disabled { color: @faint; }
QComboBox, QAbstractSpinBox, QLineEdit { border: 1px solid @edge; border-radius: 4px; background: @base; padding: 3px 6px; selection-background-color: @accent; selection-color: @onaccent; }
QComboBox { padding-left: 8px; }
QComboBox:editable { padding-left: 6px; }
QComboBox QLineEdit { border: 0; border-radius: 0; padding: 0; background: transparent; }
QComboBox:focus, QAbstractSpinBox:focus, QLineEdit:focus { border-color: @accent; }
QComboBox:disabled, QAbstractSpinBox:disabled, QLineEdit:disabled { color: @faint; border-color: @line; }
QComboBox::drop-down { border: 0; width: 20px; }
QComboBox::down-arrow { image: url(:/lengthwise/chevron-down.svg); width: 10px; height: 10px; }
QComboBox QAbstractItemView { border: 1px solid @edge; background: @base; outline: 0; selection-background-color: @tint; selection-color: @text; }
QListView#searchList { border: 1px solid @edge; background: @base; outline: 0; selection-background-color: @tint; selection-color: @text; }
QListView#searchList::item { padding: 2px 8px; }
QListView#searchList::item:disabled { padding-top: 7px; color: @quiet; }
QListView#searchList::item:hover { background: @raised; }
QListView#searchList::item:disabled:hover { background: transparent; }
QListView#searchList::item:selected { background: @tint; color: @text; }
QAbstractSpinBox { padding-right: 16px; }
QAbstractSpinBox::up-button { subcontrol-origin: border; subcontrol-position: top right; width: 16px; border: 0; background: transparent; margin-top: 2px; }
QAbstractSpinBox::down-button { subcontrol-origin: border; subcontrol-position: bottom right; width: 16px; border: 0; background: transparent; margin-bottom: 2px; }
QAbstractSpinBox::up-arrow { image: url(:/lengthwise/chevron-up.svg); width: 8px; height: 8px; }
QAbstractSpinBox::down-arrow { image: url(:/lengthwise/chevron-down.svg); width: 8px; height: 8px; }
QSlider::groove:horizontal { height: 3px; background: @line; border-radius: 1px; }
QSlider::sub-page:horizontal { background: @accent; border-radius: 1px; }
QSlider::handle:horizontal { width: 12px; height: 12px; margin: -5px 0; border: 1px solid @edge; border-radius: 6px; background: @knob; }
QSlider::handle:horizontal:hover, QSlider::handle:horizontal:focus { border-color: @accent; }
QListWidget { background: transparent; border: 0; outline: 0; }
QListWidget::item { padding: 5px 8px; border-radius: 4px; color: @text; }
QListWidget::item:selected { background: @tint; color: @text; }
QListWidget::item:hover:!selected { background: @raised; }
QScrollArea { border: 0; background: transparent; }
QScrollBar:vertical { width: 10px; background: transparent; margin: 0; }
QScrollBar:horizontal { height: 10px; background: transparent; margin: 0; }
QScrollBar::handle { background: @edge; border-radius: 3px; margin: 2px; min-height: 24px; min-width: 24px; }
QScrollBar::handle:hover { background: @faint; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QToolTip { border: 0; padding: 4px 6px; background: #1f2530; color: #f1f3f5; }
QProgressBar { border: 0; border-radius: 3px; background: @line; max-height: 6px; min-height: 6px; }
QProgressBar::chunk { border-radius: 3px; background: @accent; }
)";

}  // namespace

void paintTickBox(QPainter* painter, const QRect& box, Qt::CheckState state, bool enabled, bool focus, const QPalette& palette) {
    const bool checked = state != Qt::Unchecked;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (!enabled) painter->setOpacity(0.4);
    const QRectF frame = QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5);
    painter->setPen(checked || focus ? accent(palette) : secondaryText(palette));
    painter->setBrush(checked ? QBrush(accent(palette)) : QBrush(Qt::NoBrush));
    painter->drawRoundedRect(frame, 3, 3);
    if (checked) {
        QPainterPath mark;
        mark.moveTo(frame.left() + 3, frame.center().y());
        if (state == Qt::PartiallyChecked) {
            mark.lineTo(frame.right() - 3, frame.center().y());
        } else {
            mark.lineTo(frame.left() + 5.5, frame.bottom() - 3.5);
            mark.lineTo(frame.right() - 2.5, frame.top() + 3.5);
        }
        painter->setPen(QPen(accentText(palette), 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter->setBrush(Qt::NoBrush);
        painter->drawPath(mark);
    }
    painter->restore();
}

QStyle* makeStyle() {
    loadResources();
    return new FlatStyle;
}

QString styleSheet(const QPalette& palette) {
    QString sheet = QLatin1String(kSheet);
    const bool dark = isDark(palette);
    const std::pair<const char*, QColor> colours[] = {
        {"@line", line(palette)},
        {"@edge", edge(palette)},
        {"@raised", raised(palette)},
        {"@onaccent", accentText(palette)},
        {"@accent", accent(palette)},
        {"@tint", selection(palette)},
        {"@text", text(palette)},
        {"@quiet", secondaryText(palette)},
        {"@faint", palette.color(QPalette::Disabled, QPalette::Text)},
        {"@base", palette.color(QPalette::Base)},
        {"@knob", dark ? QColor(0xffc9ced6) : QColor(Qt::white)},
    };
    for (const auto& [name, colour] : colours) sheet.replace(QLatin1String(name), colour.name());
    return sheet;
}

}  // namespace lw::ui::theme
