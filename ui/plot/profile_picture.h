#pragma once
/// The lines of a row on the screen, in device pixels, kept from frame to frame: under a map that is dragged they shift, and only the
/// stripe that came into view is drawn.

#include "ui/plot/profile_painter.h"

#include <QImage>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace lw::ui {

class ProfilePicture {
public:
    /// Device pixels of an area, and how many of them are one unit of a line's width.
    struct Pixels {
        QSize size;
        double scale = 1;
        /// Lines may stick out of the area by so much.
        [[nodiscard]] int margin() const { return std::max(1, qRound(scale)); }
    };
    /// Other lines, or the same in other colours: nothing of the picture holds.
    void forget() { m_stale = true; }
    /// Brought up to date for this view; transparent where no line is, with the margin on every side. Keys begin on a whole pixel, on the
    /// one on which the picture of the map above begins.
    const QImage& update(const ProfileView& view, const std::vector<ProfileLine>& lines, const Pixels& pixels);
    /// What the last update() drew, margin included.
    [[nodiscard]] QRect drawn() const { return m_drawn; }

private:
    /// What has to be as before for the picture to be shifted.
    struct Look {
        QSize size;
        double scale = 0, low = 0, high = 0;
        bool logarithmic = false;
        friend bool operator==(const Look&, const Look&) = default;
    };
    void shift(int across);
    void draw(const QRect& stripe, const std::vector<ProfileLine>& lines);

    QImage m_image;
    Look m_look;
    double m_step = 0;          ///< keys a pixel
    std::int64_t m_origin = 0;  ///< pixel n of the area begins at key (origin + n) * step
    bool m_stale = true;
    QRect m_drawn;
};

}  // namespace lw::ui
