#pragma once
/// Right dock: facts about what is selected. Sections come from the session; this panel adds the one about the run.

#include "ui/session.h"

#include <QScrollArea>

class QVBoxLayout;

namespace lw::ui {

class DetailsPanel : public QScrollArea {
    Q_OBJECT
public:
    explicit DetailsPanel(Session* session, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void changeEvent(QEvent* event) override;

private:
    void describeRun();
    void rebuild();
    [[nodiscard]] QWidget* makeSection(const DetailSection& section);

    Session* m_session;
    bool m_pending = false;
};

}  // namespace lw::ui
