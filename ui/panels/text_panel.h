#pragma once
/// Bottom dock: the text whose maps are shown. A document and a range of it, or typed text, as a strip of tokens.

#include "ui/session.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;
class QToolButton;

namespace lw::ui {

class TokenStrip;

class TextPanel : public QWidget {
    Q_OBJECT
public:
    explicit TextPanel(Session* session, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override { return {600, 96}; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildControls();
    void readDocuments();
    void readTokens();
    void showTokens(const lw::TokenText& text);
    void showCaption();
    void showRequest();
    void applyRequest();
    void setTyping(bool typing);

    Session* m_session;
    TokenStrip* m_strip;
    QLabel* m_caption;
    QComboBox* m_document;
    QSpinBox* m_offset;
    QComboBox* m_length;
    QToolButton* m_typing;
    QLineEdit* m_typed;
    QString m_title;
    bool m_filling = false;  ///< widgets are being set from the session
};

}  // namespace lw::ui
