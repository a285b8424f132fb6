# lw_kernels: attention on the CPU, compiled once per instruction set by Google Highway and chosen at run time. No LibTorch headers in here.
file(GLOB LW_KERNEL_SOURCES CONFIGURE_DEPENDS attention/kernels/cpu/*.cpp)
add_library(lw_kernels STATIC ${LW_KERNEL_SOURCES})
target_link_libraries(lw_kernels PUBLIC lw_options PRIVATE PkgConfig::HIGHWAY)
target_compile_options(lw_kernels PRIVATE -O3)
