#pragma once
/// Numbers without a picture, from a page into a CSV file.

#include <QString>

#include <string>

class QWidget;

namespace lw::ui {

class Session;

/// Asks for a file, beginning in the folder of the last export, and writes it.
void saveTable(const QString& name, const std::string& csv, Session* session, QWidget* parent);
/// Writes the file, remembers its folder, and says in the message bar where it is or why it could not be written. A name without an ending
/// gets ".csv".
void writeTable(const QString& path, const std::string& csv, Session* session);

}  // namespace lw::ui
