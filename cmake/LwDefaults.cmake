# Language level, output folders and warnings for every target of the project.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib")

add_library(lw_options INTERFACE)
target_include_directories(lw_options INTERFACE "${CMAKE_SOURCE_DIR}")
target_compile_options(lw_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast
  -Wnon-virtual-dtor -Woverloaded-virtual
  $<$<BOOL:${LW_WERROR}>:-Werror>
  # GCC 12 reports these inside std::string where nothing is wrong (its bugs 105329 and 105651): shown, but no error.
  $<$<BOOL:${LW_WERROR}>:-Wno-error=array-bounds>
  $<$<BOOL:${LW_WERROR}>:-Wno-error=restrict>
  $<$<BOOL:${LW_WERROR}>:-Wno-error=stringop-overflow>)
if(LW_SANITIZE)
  target_compile_options(lw_options INTERFACE -fsanitize=${LW_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(lw_options INTERFACE -fsanitize=${LW_SANITIZE})
endif()
# Where the committed resources lie while the program runs from its build folder.
target_compile_definitions(lw_options INTERFACE LW_SOURCE_DIR="${CMAKE_SOURCE_DIR}" LW_VERSION="${PROJECT_VERSION}")
