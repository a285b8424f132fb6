# lw_kernels: attention on the CPU, compiled once per instruction set by Google Highway and chosen at run time. No LibTorch headers in here.
file(GLOB LW_KERNEL_SOURCES CONFIGURE_DEPENDS attention/kernels/cpu/*.cpp)
add_library(lw_kernels STATIC ${LW_KERNEL_SOURCES})
target_link_libraries(lw_kernels PUBLIC lw_options PRIVATE PkgConfig::HIGHWAY)
target_compile_options(lw_kernels PRIVATE -O3)
# SSSE3 is what SSE4 is with two instructions less. Tiles keep their sums in arrays of vectors, which SVE's and RVV's types cannot be in:
# ARM runs NEON.
target_compile_definitions(lw_kernels PRIVATE
  "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128|HWY_RVV)")
