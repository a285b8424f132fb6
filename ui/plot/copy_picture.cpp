/// See copy_picture.h.
#include "ui/plot/copy_picture.h"

#include "ui/plot/figure_file.h"

#include <QApplication>
#include <QClipboard>
#include <QMimeData>

#include <memory>

namespace lw::ui {

void copyPicture(const QImage& pixels, QSize size, const std::function<void(QCPPainter&)>& draw, const QString& numbers) {
    auto mime = std::make_unique<QMimeData>();
    mime->setImageData(pixels);
    mime->setData(QStringLiteral("image/svg+xml"), svgBytes({}, size, draw));
    mime->setText(numbers);
    QApplication::clipboard()->setMimeData(mime.release());
}

}  // namespace lw::ui
