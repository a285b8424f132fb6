/// Toolbar and menus of the Curves page: protocol, published values, table.
#include "ui/pages/curves_evaluate.h"
#include "ui/pages/curves_page.h"
#include "ui/pages/curves_published.h"
#include "ui/pages/curves_table.h"
#include "ui/plot/curve_plot.h"
#include "ui/plot/number_text.h"
#include "ui/plot/segmented.h"
#include "ui/theme.h"
#include "ui/session.h"

#include <QHBoxLayout>
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

void CurvesPage::buildToolbar(QHBoxLayout* bar) {
    m_mode->setObjectName(QStringLiteral("curvesMode"));
    m_mode->add(static_cast<int>(CurvesMode::perplexity), tr("Perplexity"));
    m_mode->add(static_cast<int>(CurvesMode::position), tr("By position"), tr("Loss of the token at each position of the longest evaluated length"));
    m_mode->add(static_cast<int>(CurvesMode::training), tr("Training loss"), tr("Loss against step, of training and of validation"));
    m_scale->setObjectName(QStringLiteral("curvesScale"));
    m_scale->add(0, tr("Linear"));
    m_scale->add(1, tr("Log"));
    m_origin->setObjectName(QStringLiteral("curvesOrigin"));
    m_origin->add(0, tr("From start"), tr("By the position of the token in the text"));
    m_origin->add(1, tr("Beyond L"), tr("By how many tokens the context is longer than any in training"));
    m_protocolButton->setObjectName(QStringLiteral("protocolButton"));
    m_protocolButton->setToolTip(tr("How the numbers were measured. Click to look at another protocol."));
    m_protocolButton->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_protocolButton->setStyleSheet(QStringLiteral("text-align: left;"));
    m_publishedButton->setObjectName(QStringLiteral("publishedButton"));
    m_intervalButton->setObjectName(QStringLiteral("intervalButton"));
    m_intervalButton->setToolTip(tr("Which confidence intervals are drawn."));
    m_publishedButton->setToolTip(tr("Values that papers state, drawn faintly beside these lines."));
    m_evaluateButton->setObjectName(QStringLiteral("evaluateButton"));
    m_exportButton->setObjectName(QStringLiteral("exportButton"));
    bar->setSpacing(theme::kGrid);
    bar->addWidget(m_mode);
    bar->addWidget(m_scale);
    bar->addWidget(m_origin);
    bar->addWidget(m_protocolButton, 1);
    bar->addWidget(m_publishedButton);
    bar->addWidget(m_intervalButton);
    bar->addWidget(m_evaluateButton);
    bar->addWidget(m_exportButton);
    connect(m_mode, &Segmented::chosen, this, [this](int id) { setMode(static_cast<CurvesMode>(id)); });
    connect(m_scale, &Segmented::chosen, this, [this](int id) {
        const bool perplexity = m_mode->current() == static_cast<int>(CurvesMode::perplexity);
        (perplexity ? m_logPerplexity : m_logOther) = id == 1;
        session()->settings().setValue(perplexity ? QStringLiteral("curves/logPerplexity") : QStringLiteral("curves/logOther"), id == 1);
        m_plot->setLogY(id == 1);
    });
    connect(m_origin, &Segmented::chosen, this, [this](int id) { setBeyond(id == 1); });
    connect(m_protocolButton, &QPushButton::clicked, this, &CurvesPage::openProtocolMenu);
    connect(m_evaluateButton, &QPushButton::clicked, this, &CurvesPage::evaluate);
    connect(m_exportButton, &QPushButton::clicked, this, &CurvesPage::exportFigure);
}

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
    if (narrow() && m_anyPublished && takesPublished(m_protocol) && m_mode->current() == static_cast<int>(CurvesMode::perplexity)) {
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
    m_intervalButton->setText(narrow() && perplexity && published ? tr("View ▾") : tr("Intervals ▾"));
    // Where there is little room the plot's own menu has to do for losses by position.
    m_intervalButton->setVisible(perplexity || (m_mode->current() == static_cast<int>(CurvesMode::position) && !narrow()));
    say(m_mode->button(static_cast<int>(CurvesMode::training)), narrow() ? tr("Training") : tr("Training loss"));
    say(m_origin->button(0), narrow() ? tr("Start") : tr("From start"));
    say(m_origin->button(1), narrow() ? tr("From L") : tr("Beyond L"));
}

void CurvesPage::updateProtocolButton() {
    const QString line = QString::fromStdString(lw::measured_words(m_loaded.set));
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
