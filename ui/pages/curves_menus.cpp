/// Menus of the Curves page: protocol, published values, table.
#include "ui/pages/curves_evaluate.h"
#include "ui/pages/curves_page.h"
#include "ui/pages/curves_published.h"
#include "ui/pages/curves_table.h"
#include "ui/plot/curve_plot.h"
#include "ui/plot/number_text.h"
#include "ui/plot/segmented.h"
#include "ui/theme.h"
#include "ui/session.h"

#include <QMenu>
#include <QPushButton>

#include <cmath>

namespace lw::ui {

namespace {

constexpr int kNarrowPage = 1000;

/// Papers state perplexities over all tokens.
bool takesPublished(const std::string& protocol) { return !countsKeyTokens(QString::fromStdString(protocol)); }

void say(QAbstractButton* segment, const QString& text) {
    if (segment->text() == text) return;
    segment->setText(text);
    segment->updateGeometry();
}

}  // namespace

void CurvesPage::setProtocol(const std::string& protocol) {
    m_protocol = protocol;
    session()->settings().setValue(QStringLiteral("curves/protocol"), QString::fromStdString(protocol));
    m_loaded.set = {};
    arrangeButtons();
    updateProtocolButton();
    refresh();
}

void CurvesPage::setGroupSeeds(bool group) {
    m_groupSeeds = group;
    session()->settings().setValue(QStringLiteral("curves/groupSeeds"), group);
    refresh();
}

void CurvesPage::openIntervalMenu() {
    QMenu menu(this);
    m_plot->addIntervalChoices(&menu);
    if (narrow() && m_anyPublished && takesPublished(m_protocol)) {
        menu.addSeparator();
        fillPublished(menu.addMenu(tr("Published results")));
    }
    menu.exec(m_intervalButton->mapToGlobal(QPoint(0, m_intervalButton->height())));
}

bool CurvesPage::narrow() const { return width() < kNarrowPage; }

/// Where there is little room one button has both menus, so that the protocol keeps some.
void CurvesPage::arrangeButtons() {
    const bool perplexity = m_mode->current() == static_cast<int>(CurvesMode::perplexity);
    const bool published = m_anyPublished && takesPublished(m_protocol);
    m_publishedButton->setText(tr("Published results ▾"));
    m_publishedButton->setVisible(perplexity && published && !narrow());
    m_intervalButton->setText(narrow() && published ? tr("View ▾") : tr("Intervals ▾"));
    m_intervalButton->setVisible(perplexity);
    say(m_mode->button(static_cast<int>(CurvesMode::training)), narrow() ? tr("Training") : tr("Training loss"));
    say(m_origin->button(0), narrow() ? tr("Start") : tr("From start"));
    say(m_origin->button(1), narrow() ? tr("From L") : tr("Beyond L"));
}

void CurvesPage::updateProtocolButton() {
    const QString line = QString::fromStdString(m_loaded.set.protocol_line);
    const QString name = protocolName(QString::fromStdString(m_protocol));
    const QFontMetrics metrics = m_protocolButton->fontMetrics();
    const int room = m_protocolButton->width() - 28 - metrics.horizontalAdvance(QStringLiteral(" ▾"));
    m_protocolButton->setText(theme::fittingText({tr("Protocol: %1").arg(line.isEmpty() ? name : line), tr("Protocol: %1").arg(name), name, tr("Protocol")}, metrics, room) + QStringLiteral(" ▾"));
    m_protocolButton->setToolTip(line.isEmpty() ? name : QStringLiteral("%1: %2").arg(name, line));
}

void CurvesPage::openProtocolMenu() {
    QMenu menu(this);
    for (const QString& id : protocolIds()) {
        QAction* action = menu.addAction(protocolName(id), this, [this, id] { setProtocol(id.toStdString()); });
        action->setCheckable(true);
        action->setChecked(id.toStdString() == m_protocol);
        action->setToolTip(protocolHelp(id));
    }
    menu.addSeparator();
    QAction* each = menu.addAction(tr("Each seed"), this, [this](bool checked) { setGroupSeeds(!checked); });
    each->setCheckable(true);
    each->setChecked(!m_groupSeeds);
    each->setToolTip(tr("A line for every seed instead of their mean with a band."));
    menu.setToolTipsVisible(true);
    menu.exec(m_protocolButton->mapToGlobal(QPoint(0, m_protocolButton->height())));
}

void CurvesPage::setPublished(const std::string& id) {
    m_published = id;
    session()->settings().setValue(QStringLiteral("curves/published"), QString::fromStdString(id));
    refresh();
}

void CurvesPage::fillPublished(QMenu* menu) {
    const auto add = [&](const QString& text, const std::string& id, const QString& help) {
        QAction* action = menu->addAction(text, this, [this, id] { setPublished(id); });
        action->setCheckable(true);
        action->setChecked(id == m_published);
        action->setToolTip(help);
    };
    add(tr("None"), {}, {});
    menu->addSeparator();
    for (const lw::PublishedSet& set : lw::published_sets()) add(QString::fromStdString(set.title), set.id, publishedWords(set));
    menu->setToolTipsVisible(true);
}

void CurvesPage::openPublishedMenu() {
    QMenu menu(this);
    fillPublished(&menu);
    menu.exec(m_publishedButton->mapToGlobal(QPoint(0, m_publishedButton->height())));
}

void CurvesPage::openTableMenu(QPoint position) {
    const int row = m_table->indexAt(position).row();
    QMenu menu(this);
    if (row >= 0 && row < static_cast<int>(m_loaded.set.lines.size())) {
        const QString name = m_loaded.content.series[static_cast<std::size_t>(row)].title;
        const QString key = QString::fromStdString(lineKey(m_loaded.set.lines[static_cast<std::size_t>(row)]));
        menu.addAction(tr("Compare the others with %1").arg(name), this, [this, key] { setReference(key); });
        if (m_selected) menu.addAction(tr("Open maps at %1").arg(integerText(std::llround(*m_selected))), this, [this, row] { openMaps(*m_selected, row); });
        menu.addSeparator();
    }
    menu.addAction(tr("Copy image and numbers"), this, &CurvesPage::copyFigure);
    menu.addAction(tr("Export figure…"), this, &CurvesPage::exportFigure);
    menu.exec(m_table->viewport()->mapToGlobal(position));
}

}  // namespace lw::ui
