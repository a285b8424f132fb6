#pragma once
/// What the main window knows of a page. Pages do not know each other: they read and change the Session and listen to it.

#include <QWidget>

namespace lw::ui {

class Session;

class Page : public QWidget {
    Q_OBJECT
public:
    explicit Page(Session* session, QWidget* parent = nullptr) : QWidget(parent), m_session(session) {}
    [[nodiscard]] virtual QString title() const = 0;  ///< of its tab
    virtual void copyFigure() {}                      ///< Ctrl+C: the main plot as image and its numbers as text
    virtual void exportFigure() {}                    ///< Ctrl+E
    virtual void evaluate() {}                        ///< F5
    [[nodiscard]] virtual bool canExport() const { return false; }
    [[nodiscard]] virtual bool canEvaluate() const { return false; }

protected:
    [[nodiscard]] Session* session() const { return m_session; }

private:
    Session* m_session;
};

}  // namespace lw::ui
