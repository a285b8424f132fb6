/// Which task the page shows, its example and the recipe for it. See tasks_page.h.
#include "ui/forms/param_form.h"
#include "ui/pages/tasks_page.h"
#include "ui/plot/number_text.h"
#include "ui/session.h"

#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QSignalBlocker>

#include <algorithm>

namespace lw::ui {

namespace {

const QString kTaskSetting = QStringLiteral("tasks/chosen");

}  // namespace

const lw::TaskInfo* TasksPage::task() const {
    const int row = m_list->currentRow();
    return row < 0 || row >= static_cast<int>(lw::tasks().size()) ? nullptr : &lw::tasks()[static_cast<std::size_t>(row)];
}

void TasksPage::choose() {
    const lw::TaskInfo* chosen = task();
    if (chosen == nullptr) return;
    QStringList lines{QString::fromStdString(chosen->summary)};
    if (chosen->encoder) lines << tr("One pass reads all input and answers at placeholders (_); a length counts the input.");
    if (!chosen->complexity.empty()) lines << tr("Class: %1").arg(QString::fromStdString(lw::task_class_title(*chosen)));
    if (!chosen->paper.empty()) lines << QString::fromStdString(chosen->paper);
    m_summary->setText(lines.join(QLatin1Char('\n')));
    m_params->setSpecs(chosen->params);
    showExample();
    draw();
}

/// Tokens above what is asked at them; settings that do not fit together show why.
void TasksPage::showExample() {
    const lw::TaskInfo* chosen = task();
    if (chosen == nullptr) return;
    lw::DataSpec source;
    source.source = "task:" + chosen->id;
    source.task = m_params->values();
    const auto picture = lw::task_picture(source);
    if (!picture.ok()) return m_example->setPlainText(QString::fromStdString(picture.error().message));
    m_example->setPlainText(tr("Length %1, below it what is asked; guessing gets %2").arg(QString::number(picture.value().length), numberText(picture.value().chance, 2)) + QLatin1Char('\n') +
                            QString::fromStdString(picture.value().text));
}

void TasksPage::trainOnTask() {
    const lw::TaskInfo* chosen = task();
    if (chosen == nullptr) return;
    const auto scheme = lw::find_scheme("dape-kerple");
    lw::Recipe recipe = lw::task_recipe(*chosen, scheme.ok() ? scheme.value() : lw::SchemeSpec());
    recipe.data.task = m_params->values();
    rememberTask();
    session()->requestRecipe(recipe);
}

/// The details are of a run that the page is about: the current one if it is of this task, else the first that is drawn.
void TasksPage::describeTask() {
    const lw::TaskInfo* chosen = task();
    if (chosen == nullptr) return;
    const QStringList keys = runsOf(*chosen, true);
    DetailSection none;
    if (keys.isEmpty()) {
        none.title = QString::fromStdString(chosen->name);
        none.text = tr("No run that is ticked was trained on this task.");
    }
    session()->setDetails(QStringLiteral("task"), none);
    const RunEntry* current = session()->currentRun();
    if (current != nullptr && keys.contains(current->key)) return session()->setDetailsRun(std::nullopt);
    session()->setDetailsRun(keys.value(0));
}

void TasksPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    describeTask();
}

void TasksPage::hideEvent(QHideEvent* event) {
    Page::hideEvent(event);
    session()->setDetails(QStringLiteral("task"), {});
    session()->setDetailsRun(std::nullopt);
}

/// Not as a person's choice: it is not remembered.
void TasksPage::showTask(int row) {
    const QSignalBlocker quiet(m_list);
    m_list->setCurrentRow(row);
    choose();
}

void TasksPage::rememberTask() {
    if (task() == nullptr) return;
    m_settled = true;
    session()->settings().setValue(kTaskSetting, QString::fromStdString(task()->id));
}

/// The task that a person chose last; a name that is no task any more counts as none.
void TasksPage::restoreTask() {
    const std::string last = session()->settings().value(kTaskSetting).toString().toStdString();
    const auto& tasks = lw::tasks();
    const auto found = std::find_if(tasks.begin(), tasks.end(), [&](const lw::TaskInfo& task) { return task.id == last; });
    m_settled = found != tasks.end();
    if (!tasks.empty()) showTask(m_settled ? static_cast<int>(found - tasks.begin()) : 0);
    openOnRun();
}

/// Until a person chooses a task, one with something to see is looked for: the first with a ticked run, else the first with a run.
/// Once there is one, the page stays with it.
void TasksPage::openOnRun() {
    const auto& tasks = lw::tasks();
    for (const bool shownOnly : {true, false})
        for (std::size_t row = 0; row < tasks.size() && !m_settled; ++row) {
            if (runsOf(tasks[row], shownOnly).isEmpty()) continue;
            m_settled = true;
            if (static_cast<int>(row) != m_list->currentRow()) showTask(static_cast<int>(row));
        }
}

}  // namespace lw::ui
