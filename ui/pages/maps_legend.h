#pragma once
/// Classes of heads with their counts; a click keeps the heads of one class bright.

#include "core/api/maps.h"

#include <QStringList>
#include <QWidget>

namespace lw::ui {

class ClassLegend : public QWidget {
    Q_OBJECT
public:
    explicit ClassLegend(QWidget* parent = nullptr);
    void setMeasures(const std::vector<lw::HeadMeasures>& measures);
    /// The class of every head, and what stands after the counts.
    void setClasses(const QStringList& classes, const QString& remark);
    [[nodiscard]] QString filter() const { return m_filter; }
    void setFilter(const QString& headClass);
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override { return {300, heightForWidth(300)}; }

Q_SIGNALS:
    void filterChanged(const QString& headClass);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    struct Entry {
        QString name;  ///< "" = the remark at the end
        QString text;
        QRect box;
    };
    int arrange(std::vector<Entry>& entries, int width) const;

    std::vector<Entry> m_entries;
    QString m_filter;
    QString m_hovered;
};

}  // namespace lw::ui
