/// Probe group "tasks".

#include "core/lab/probe_handlers.h"

namespace lw {

const ProbeHandlers& tasks_probes() {
    static const ProbeHandlers all = {};
    return all;
}

}  // namespace lw
