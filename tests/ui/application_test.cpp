/// Starting the program where there is no display.
#include "ui/application.h"

#include <QByteArray>
#include <QtGlobal>

#include <catch2/catch.hpp>

#include <map>
#include <string>

namespace {

/// Variables of the environment for one test.
class Environment {
public:
    explicit Environment(const std::map<std::string, const char*>& values) {
        for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) {
            m_before[name] = qgetenv(name);
            qunsetenv(name);
            if (values.contains(name)) qputenv(name, values.at(name));
        }
    }
    ~Environment() {
        for (const auto& [name, value] : m_before) {
            if (value.isEmpty()) qunsetenv(name.c_str());
            else qputenv(name.c_str(), value);
        }
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

private:
    std::map<std::string, QByteArray> m_before;
};

}  // namespace

TEST_CASE("help, version and pictures need no display", "[ui][application]") {
    for (const char* option : {"--help", "-h", "--version", "-v", "--screenshots", "--screenshots=out"}) {
        const Environment none({});
        CHECK(lw::ui::choosePlatform({option}));
        CHECK(qgetenv("QT_QPA_PLATFORM") == "offscreen");
    }
}

TEST_CASE("a window without a display is refused before Qt aborts", "[ui][application]") {
    const Environment none({});
    CHECK_FALSE(lw::ui::choosePlatform({}));
    CHECK_FALSE(lw::ui::choosePlatform({"--workspace", "runs"}));
    CHECK(lw::ui::choosePlatform({"-platform", "offscreen"}));
    CHECK(qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"));
}

TEST_CASE("with a display nothing is changed", "[ui][application]") {
    const std::map<std::string, const char*> display{{"DISPLAY", ":0"}};
    const Environment shown(display);
    CHECK(lw::ui::choosePlatform({"--help"}));
    CHECK(qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"));
}
