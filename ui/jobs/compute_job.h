#pragma once
/// A job inside the compute thread. Only its own source files see it.

#include "ui/jobs/compute_thread.h"

namespace lw::ui {

struct ComputeThread::Job {
    JobInfo info;
    Work work;
    QPointer<QObject> receiver;
    Done done;
    std::stop_source stop;
};

}  // namespace lw::ui
