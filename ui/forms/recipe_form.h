#pragma once
/// A recipe as a form: scheme, data, model size, training. What it does not show (norms, betas, ...) is kept from the recipe it was given.

#include "core/api/recipe.h"

#include <QWidget>

class QComboBox;
class QLineEdit;

namespace lw::ui {

class DataForm;
class ParamForm;
class SchemeForm;
class Session;

class RecipeForm : public QWidget {
    Q_OBJECT
public:
    explicit RecipeForm(Session* session, QWidget* parent = nullptr);
    [[nodiscard]] lw::Recipe recipe() const;
    void setRecipe(const lw::Recipe& recipe);
    /// Why it cannot be trained as it stands; "" = it can.
    [[nodiscard]] QString problem() const;
    [[nodiscard]] DataForm* dataForm() const { return m_data; }
    [[nodiscard]] SchemeForm* schemeForm() const { return m_scheme; }

Q_SIGNALS:
    void edited();

private:
    void chooseSize(int index);
    void chooseEffort(int index);
    void showSize();  ///< and the effort
    void showLengths();

    lw::Recipe m_base;
    QLineEdit* m_name;
    SchemeForm* m_scheme;
    DataForm* m_data;
    QComboBox* m_effort;
    QComboBox* m_size;
    ParamForm* m_model;
    ParamForm* m_training;
};

}  // namespace lw::ui
