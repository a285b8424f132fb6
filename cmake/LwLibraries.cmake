# Third-party libraries other than LibTorch and Qt.
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Threads REQUIRED)
find_package(Boost REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(LIBZIP REQUIRED IMPORTED_TARGET libzip)
pkg_check_modules(SENTENCEPIECE REQUIRED IMPORTED_TARGET sentencepiece)
pkg_check_modules(HIGHWAY REQUIRED IMPORTED_TARGET libhwy)
# SSSE3 is what SSE4 is with few instructions less. Tiles keep their sums in arrays of vectors, which SVE's and RVV's types cannot be in: ARM runs NEON.
set_property(TARGET PkgConfig::HIGHWAY APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS
  "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128|HWY_RVV)")
