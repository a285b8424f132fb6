# lw::highway: Google Highway, vector code compiled for several processors and chosen when the program runs.
if(NOT TARGET lw::highway)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(LW_HWY REQUIRED IMPORTED_TARGET libhwy)
  add_library(lw_highway INTERFACE)
  add_library(lw::highway ALIAS lw_highway)
  target_include_directories(lw_highway SYSTEM INTERFACE ${LW_HWY_INCLUDE_DIRS})
  target_link_libraries(lw_highway INTERFACE PkgConfig::LW_HWY)
endif()
