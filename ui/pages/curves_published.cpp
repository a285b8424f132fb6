/// See curves_published.h.
#include "ui/pages/curves_published.h"

#include "core/api/doctor.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace lw::ui {

PublishedSet readPublished(const std::filesystem::path& file) {
    PublishedSet set;
    QFile stream(QString::fromStdString(file.string()));
    if (!stream.open(QIODevice::ReadOnly)) return set;
    const QJsonObject object = QJsonDocument::fromJson(stream.readAll()).object();
    set.id = file.stem().string();
    set.title = object[QStringLiteral("title")].toString();
    set.source = object[QStringLiteral("source")].toString();
    set.note = object[QStringLiteral("note")].toString();
    for (const auto& entry : object[QStringLiteral("series")].toArray()) {
        PublishedSeries series{entry.toObject()[QStringLiteral("title")].toString(), {}, {}};
        for (const auto& point : entry.toObject()[QStringLiteral("points")].toArray()) {
            series.length.push_back(point.toArray().at(0).toDouble());
            series.value.push_back(point.toArray().at(1).toDouble());
        }
        set.series.push_back(std::move(series));
    }
    return set;
}

std::vector<PublishedSet> publishedSets() {
    std::vector<std::filesystem::path> files;
    std::error_code absent;
    for (const auto& entry : std::filesystem::directory_iterator(lw::resource_folder() / "published", absent))
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<PublishedSet> sets;
    for (const auto& file : files)
        if (PublishedSet set = readPublished(file); !set.series.empty()) sets.push_back(std::move(set));
    return sets;
}

void addPublished(CurvesLoaded& loaded, const std::string& id) {
    if (id.empty()) return;
    const PublishedSet set = readPublished(lw::resource_folder() / "published" / (id + ".json"));
    for (const PublishedSeries& published : set.series) {
        CurveSeries series;
        series.title = QCoreApplication::translate("CurvesPage", "%1, published").arg(published.title);
        series.x = published.length;
        series.y = published.value;
        series.faint = true;
        series.line = false;
        // The method's own colour, where a line of it is drawn.
        for (std::size_t i = 0; i < loaded.set.lines.size(); ++i)
            if (loaded.set.lines[i].title == published.title.toStdString()) series.style = loaded.content.series[i].style;
        loaded.content.series.push_back(std::move(series));
        loaded.lineRun.push_back(-1);
    }
    if (!set.series.empty()) loaded.note = QStringLiteral("%1: %2 %3").arg(set.title, set.source, set.note).trimmed();
}

}  // namespace lw::ui
