/// The CUDA part is loaded while the program runs, and only where an NVIDIA driver is installed: one program serves
/// machines with and without a GPU.

#include "core/api/doctor.h"
#include "core/device/device.h"

#include <ATen/Context.h>
#include <ATen/DeviceAccelerator.h>
#include <c10/core/Device.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

namespace lw {
namespace {

std::string load_error() {
    const char* text = dlerror();
    return text == nullptr ? "unknown reason" : text;
}

/// The folder that LibTorch was loaded from.
std::filesystem::path torch_folder() {
    Dl_info info{};
    // A function pointer becomes an object pointer: what dladdr is made for.
    if (dladdr(reinterpret_cast<void*>(&at::globalContext), &info) == 0 || info.dli_fname == nullptr) return {};
    std::error_code error;
    auto path = std::filesystem::canonical(info.dli_fname, error);
    return error ? std::filesystem::path() : path.parent_path();
}

/// The part of the driver interface that is needed before LibTorch's CUDA part may be touched. Asking the driver itself
/// costs milliseconds; loading the CUDA part on a machine without a GPU would cost seconds for nothing.
class Driver {
public:
    Driver() : library_(dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)) {}
    [[nodiscard]] bool present() const { return library_ != nullptr; }

    /// Number of GPUs, or -1 when the driver does not answer.
    [[nodiscard]] int count() const {
        const auto init = symbol<int (*)(unsigned)>("cuInit");
        const auto get_count = symbol<int (*)(int*)>("cuDeviceGetCount");
        int devices = 0;
        if (init == nullptr || get_count == nullptr || init(0) != 0 || get_count(&devices) != 0) return -1;
        return devices;
    }
    [[nodiscard]] DeviceInfo describe(int ordinal) const {
        DeviceInfo info{fmt::format("cuda:{}", ordinal), "NVIDIA GPU", 0};
        char name[256] = {};
        std::size_t bytes = 0;
        int device = 0;
        const auto get = symbol<int (*)(int*, int)>("cuDeviceGet");
        const auto get_name = symbol<int (*)(char*, int, int)>("cuDeviceGetName");
        const auto get_memory = symbol<int (*)(std::size_t*, int)>("cuDeviceTotalMem_v2");
        if (get == nullptr || get(&device, ordinal) != 0) return info;
        if (get_name != nullptr && get_name(name, sizeof name, device) == 0) info.name = name;
        if (get_memory != nullptr && get_memory(&bytes, device) == 0) info.memory = static_cast<std::int64_t>(bytes);
        return info;
    }

private:
    template <class Function>
    [[nodiscard]] Function symbol(const char* name) const {
        return reinterpret_cast<Function>(dlsym(library_, name));
    }
    void* library_;
};

/// "" when LibTorch's CUDA part is loaded and works with the driver, else why not.
std::string load_torch_cuda() {
    const auto library = torch_folder() / "libtorch_cuda.so";
    if (dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr) {
        return fmt::format("A GPU is there, but LibTorch's CUDA part cannot be loaded ({}). Run "
                           "'LENGTHWISE_FLAVOUR=cuda scripts/bootstrap' to fetch the CUDA libraries.", load_error());
    }
    if (at::hasCUDA()) return "";
    return "A GPU is there, but LibTorch's CUDA part refuses to work with this driver (CUDA 13 needs driver 580 or newer).";
}

CudaState look_for_cuda() {
    CudaState state;
    const Driver driver;
    state.driver = driver.present();
    if (!state.driver) {
        state.note = "No NVIDIA driver is installed, so the CPU is used.";
        return state;
    }
    const int count = driver.count();
    if (count <= 0) {
        state.note = count < 0 ? "The NVIDIA driver is installed but does not answer; restart it, or look at nvidia-smi."
                               : "The NVIDIA driver is installed but finds no GPU.";
        return state;
    }
    state.note = load_torch_cuda();
    for (int i = 0; state.note.empty() && i < count; ++i) state.devices.push_back(driver.describe(i));
    return state;
}

std::string device_list() {
    std::string names;
    for (const auto& device : usable_devices()) names += (names.empty() ? "" : ", ") + device.id;
    return names;
}

}  // namespace

const CudaState& cuda_state() {
    static const CudaState state = look_for_cuda();
    return state;
}

std::vector<DeviceInfo> usable_devices() {
    std::vector<DeviceInfo> devices{{"cpu", cpu_name(), memory_use().total}};
    const auto& gpus = cuda_state().devices;
    devices.insert(devices.end(), gpus.begin(), gpus.end());
    return devices;
}

std::int64_t free_gpu_memory(const std::string& id) {
    const std::size_t ordinal = id.size() > 5 ? std::stoul(id.substr(5)) : 0;
    const auto& devices = cuda_state().devices;
    if (ordinal >= devices.size()) return 0;
    try {
        auto* allocator = at::getDeviceAllocator(at::kCUDA);
        const auto index = static_cast<c10::DeviceIndex>(ordinal);
        if (!allocator->initialized()) return devices[ordinal].memory / 10 * 9;
        constexpr auto kAll = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);
        const auto stats = allocator->getDeviceStats(index);
        const auto kept = stats.reserved_bytes[kAll].current - stats.allocated_bytes[kAll].current;
        return static_cast<std::int64_t>(allocator->getMemoryInfo(index).first) + kept;
    } catch (const c10::Error&) {
        return devices[ordinal].memory / 10 * 9;  // the driver and the libraries keep some for themselves
    }
}

Status check_device(const std::string& device) {
    if (device == "cpu") return Nothing{};
    const std::string prefix = "cuda";
    const bool named = device == prefix || (device.rfind("cuda:", 0) == 0 && device.size() > 5 && device.size() < 9 &&
                                            device.find_first_not_of("0123456789", 5) == std::string::npos);
    if (!named) {
        return Error{ErrorKind::invalid_argument,
                     fmt::format("\"{}\" is not a device. Devices of this machine: {}.", device, device_list())};
    }
    const auto& state = cuda_state();
    if (state.devices.empty()) {
        return Error{ErrorKind::unavailable, fmt::format("The device \"{}\" was asked for, but it cannot be used. {} Use the "
                                                         "device \"cpu\".", device, state.note)};
    }
    const std::size_t ordinal = device == prefix ? 0 : std::stoul(device.substr(5));
    if (ordinal < state.devices.size()) return Nothing{};
    return Error{ErrorKind::unavailable,
                 fmt::format("The device \"{}\" was asked for, but this machine has {}.", device, device_list())};
}

}  // namespace lw
