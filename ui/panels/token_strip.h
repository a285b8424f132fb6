#pragma once
/// The tokens of the current text, shaded by a value each; a click chooses the query.

#include "ui/panels/token_layout.h"

#include <QAbstractScrollArea>
#include <QStringList>

namespace lw::ui {

class TokenStrip : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit TokenStrip(QWidget* parent = nullptr);
    void setTokens(const QStringList& pieces, std::int64_t offset);
    /// One value in [0, 1] per token; fewer leave the rest unshaded.
    void setShade(const std::vector<float>& values);
    void setQuery(std::int64_t query);
    [[nodiscard]] const TokenLayout& tokenLayout() const { return m_layout; }

Q_SIGNALS:
    void tokenClicked(qint64 token);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    void relayout();
    void reveal(std::int64_t token);
    void paintToken(QPainter& painter, std::size_t token, int top) const;

    QStringList m_pieces;  ///< as drawn: a mark of a word's begin is the blank it stands for
    QStringList m_names;   ///< as the tokenizer has them
    std::int64_t m_offset = 0;
    std::vector<int> m_widths;
    std::vector<float> m_shade;
    std::int64_t m_query = -1;
    TokenLayout m_layout;
};

}  // namespace lw::ui
