/// Which device computes: found without delaying the first pictures, chosen in the menu, remembered.
#include "ui/main_window.h"

#include "core/api/doctor.h"

#include <QActionGroup>
#include <QLabel>
#include <QMenu>
#include <QThread>

#include <algorithm>

namespace lw::ui {

namespace {

const QString kSetting = QStringLiteral("device");

QString deviceText(const std::string& device) {
    return device.rfind("cuda", 0) == 0 ? MainWindow::tr("GPU %1").arg(QString::fromStdString(device)) : MainWindow::tr("CPU");
}

}  // namespace

void MainWindow::showDevice() {
    const int threads = qMax(1, QThread::idealThreadCount() - 1);
    const QString text = threads == 1 ? tr("1 thread") : tr("%1 threads").arg(threads);
    m_deviceLabel->setText(tr("%1 · %2").arg(deviceText(m_session->compute().device()), text));
}

/// Looking for a GPU can take seconds: it is done when everything that the first page needs is there.
void MainWindow::findDevices() {
    if (!m_session->compute().idle()) {
        connect(&m_session->compute(), &ComputeThread::idleChanged, this, &MainWindow::findDevices, Qt::SingleShotConnection);
        return;
    }
    m_session->compute().run<lw::DoctorReport>(
        QStringLiteral("device"), [](const lw::RunContext&) { return lw::doctor(false); }, this,
        [this](lw::Result<lw::DoctorReport> report) {
            if (report.ok()) offerDevices(report.value().devices);
        });
}

/// The one chosen last time when it is there; else the first GPU; else the processor.
void MainWindow::offerDevices(const std::vector<std::string>& devices) {
    const std::string wanted = m_session->settings().value(kSetting).toString().toStdString();
    const auto chosen = std::find(devices.begin(), devices.end(), wanted);
    const auto gpu = std::find_if(devices.begin(), devices.end(), [](const std::string& device) { return device.rfind("cuda", 0) == 0; });
    const std::string first = chosen != devices.end() ? wanted : gpu != devices.end() ? *gpu : std::string("cpu");
    m_session->compute().setDevice(first);
    showDevice();
    m_deviceMenu->clear();
    m_deviceMenu->setEnabled(devices.size() > 1);
    auto* group = new QActionGroup(m_deviceMenu);
    for (const std::string& device : devices) {
        QAction* action = m_deviceMenu->addAction(deviceText(device), this, [this, device] { chooseDevice(device); });
        action->setCheckable(true);
        action->setChecked(device == first);
        group->addAction(action);
    }
}

/// Maps that are open stay where they are; what is computed from now on goes to the chosen device.
void MainWindow::chooseDevice(const std::string& device) {
    m_session->settings().setValue(kSetting, QString::fromStdString(device));
    m_session->compute().setDevice(device);
    showDevice();
}

}  // namespace lw::ui
