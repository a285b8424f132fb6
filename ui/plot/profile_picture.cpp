/// See profile_picture.h.
#include "ui/plot/profile_picture.h"

#include "ui/plot/line_painter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace lw::ui {

namespace {
constexpr double kMiddle = 0.5 + 1e-6;  // as the picture of a map rounds its place
}

const QImage& ProfilePicture::update(const ProfileView& view, const std::vector<ProfileLine>& lines, const Pixels& pixels) {
    m_drawn = {};
    if (pixels.size.isEmpty()) {
        m_look = {};  // else the next picture of the old size would be painted on nothing
        return m_image = {};
    }
    const int margin = pixels.margin();
    const Look look{pixels.size, pixels.scale, view.low, view.high, view.logarithmic};
    double step = (view.keyEnd - view.keyBegin) / pixels.size.width();
    // A moved view keeps its size but for rounding.
    const bool sameStep = std::abs(step - m_step) < 1e-9 * step;
    if (sameStep) step = m_step;
    const auto origin = static_cast<std::int64_t>(std::floor(view.keyBegin / step + kMiddle));
    const std::int64_t across = origin - m_origin;
    if (!(look == m_look)) m_image = QImage(pixels.size + QSize(2 * margin, 2 * margin), QImage::Format_ARGB32_Premultiplied);
    const bool keep = !m_stale && sameStep && look == m_look && std::abs(across) < m_image.width();
    m_look = look;
    m_step = step;
    m_origin = origin;
    m_stale = false;
    m_drawn = m_image.rect();
    if (keep) {
        const int by = static_cast<int>(across);
        shift(by);
        m_drawn = by >= 0 ? QRect(m_image.width() - by, 0, by, m_image.height()) : QRect(0, 0, -by, m_image.height());
    }
    if (!m_drawn.isEmpty()) draw(m_drawn, lines);
    return m_image;
}

void ProfilePicture::shift(int across) {
    if (across == 0) return;
    const int from = std::max(0, across), to = std::max(0, -across);
    const auto bytes = static_cast<std::size_t>(m_image.width() - std::abs(across)) * sizeof(QRgb);
    for (int y = 0; y < m_image.height(); ++y) {
        auto* line = reinterpret_cast<QRgb*>(m_image.scanLine(y));
        std::memmove(line + to, line + from, bytes);
    }
}

/// With what lies a little outside the stripe, whose ink reaches in.
void ProfilePicture::draw(const QRect& stripe, const std::vector<ProfileLine>& lines) {
    QPainter painter(&m_image);
    painter.setClipRect(stripe);
    painter.setCompositionMode(QPainter::CompositionMode_Source);
    painter.fillRect(stripe, Qt::transparent);
    painter.setCompositionMode(QPainter::CompositionMode_SourceOver);
    painter.setRenderHint(QPainter::Antialiasing);
    const int margin = Pixels{m_look.size, m_look.scale}.margin();
    for (const ProfileLine& line : lines) {
        const double pen = line.width * m_look.scale;
        const int reach = 4 + static_cast<int>(std::ceil(pen)), left = stripe.left() - reach, width = stripe.width() + 2 * reach;
        const double first = static_cast<double>(m_origin + left - margin);
        const QRectF area(left, margin, width, m_look.size.height());
        const ProfileView view{area, first * m_step, (first + width) * m_step, m_look.low, m_look.high, m_look.logarithmic};
        painter.setPen(QPen(line.colour, pen, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
        paintLine(painter, profilePolygon(view, line.values));
    }
}

}  // namespace lw::ui
