#pragma once
/// A plot on the clipboard: as pixels, as vectors, and its numbers as text; the program it is pasted into takes what it knows best.

#include <QImage>
#include <QString>

#include <functional>

class QCPPainter;

namespace lw::ui {

void copyPicture(const QImage& pixels, QSize size, const std::function<void(QCPPainter&)>& draw, const QString& numbers);

}  // namespace lw::ui
