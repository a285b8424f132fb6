/// See scheme_ticks.h.
#include "ui/forms/scheme_ticks.h"

#include "ui/forms/preset_groups.h"
#include "ui/theme.h"

#include <QLineEdit>
#include <QListWidget>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace lw::ui {

namespace {

constexpr int kScheme = Qt::UserRole;  // headings have none

}  // namespace

SchemeTicks::SchemeTicks(const std::vector<lw::SchemePreset>& presets, QWidget* parent) : QWidget(parent), m_search(new QLineEdit(this)), m_list(new QListWidget(this)) {
    m_search->setObjectName(QStringLiteral("schemeSearch"));
    m_search->setPlaceholderText(tr("Search schemes"));
    m_search->setClearButtonEnabled(true);
    m_list->setObjectName(QStringLiteral("schemeTicks"));
    m_list->setAccessibleName(tr("Schemes"));
    for (const PresetGroup& group : presetGroups(presets)) {
        auto* heading = new QListWidgetItem(group.heading, m_list);
        QFont font = theme::caption();
        font.setWeight(QFont::DemiBold);
        heading->setFont(font);
        heading->setFlags(Qt::NoItemFlags);
        for (const lw::SchemePreset& preset : group.presets) add(preset);
    }
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kGrid);
    layout->addWidget(m_search);
    layout->addWidget(m_list, 1);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& words) { search(words); });
    connect(m_list, &QListWidget::itemChanged, this, [this] { Q_EMIT edited(); });
}

void SchemeTicks::add(const lw::SchemePreset& preset) {
    auto* item = new QListWidgetItem(QString::fromStdString(preset.scheme.name), m_list);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    item->setCheckState(Qt::Unchecked);
    item->setToolTip(QString::fromStdString(preset.summary));
    item->setData(kScheme, static_cast<int>(m_schemes.size()));
    m_schemes.push_back(preset.scheme);
}

void SchemeTicks::setTicked(const std::vector<lw::SchemeSpec>& schemes) {
    {
        const QSignalBlocker quiet(m_list);
        for (int i = 0; i < m_list->count(); ++i) {
            QListWidgetItem* item = m_list->item(i);
            if (!item->data(kScheme).isValid()) continue;
            const bool on = std::any_of(schemes.begin(), schemes.end(), [&](const lw::SchemeSpec& scheme) { return QString::fromStdString(scheme.name) == item->text(); });
            item->setCheckState(on ? Qt::Checked : Qt::Unchecked);
        }
    }
    Q_EMIT edited();
}

std::vector<lw::SchemeSpec> SchemeTicks::ticked() const {
    std::vector<lw::SchemeSpec> schemes;
    for (int i = 0; i < m_list->count(); ++i) {
        const QListWidgetItem* item = m_list->item(i);
        if (item->data(kScheme).isValid() && item->checkState() == Qt::Checked) schemes.push_back(m_schemes[static_cast<std::size_t>(item->data(kScheme).toInt())]);
    }
    return schemes;
}

/// A heading stays while one of its schemes does.
void SchemeTicks::search(const QString& words) {
    QListWidgetItem* heading = nullptr;
    for (int i = 0; i < m_list->count(); ++i) {
        QListWidgetItem* item = m_list->item(i);
        if (!item->data(kScheme).isValid()) {
            heading = item;
            heading->setHidden(true);
            continue;
        }
        const bool found = item->text().contains(words.trimmed(), Qt::CaseInsensitive);
        item->setHidden(!found);
        if (found && heading != nullptr) heading->setHidden(false);
    }
}

}  // namespace lw::ui
