# The one file that knows LibTorch: lw::torch from the wheel's lib and include folders.
#
# The wheel's own TorchConfig.cmake is not used: it looks for a CUDA toolkit and changes flags globally.
# LENGTHWISE_TORCH_DIR (environment or cache) names a folder that holds torch/lib and torch/include, or lib and include themselves.
set(LENGTHWISE_TORCH_DIR "$ENV{LENGTHWISE_TORCH_DIR}" CACHE PATH "Folder of an unpacked torch wheel")
set(LW_TORCH_ROOT "${LENGTHWISE_TORCH_DIR}")
if(NOT LW_TORCH_ROOT)
  set(LW_TORCH_ROOT "${CMAKE_SOURCE_DIR}/local/torch/torch")
elseif(EXISTS "${LW_TORCH_ROOT}/torch/lib/libtorch_cpu.so")
  set(LW_TORCH_ROOT "${LW_TORCH_ROOT}/torch")
endif()
if(NOT EXISTS "${LW_TORCH_ROOT}/lib/libtorch_cpu.so")
  message(FATAL_ERROR "LibTorch was not found in ${LW_TORCH_ROOT}. Run scripts/bootstrap, or set LENGTHWISE_TORCH_DIR to an unpacked torch 2.11 wheel.")
endif()

# A whole wheel brings copies of other libraries' headers, which would hide the system's: the program would compile against
# one version of fmt and link another. Then a folder of links to everything else stands in for the wheel's include folder.
set(LW_TORCH_INCLUDE "${LW_TORCH_ROOT}/include")
if(EXISTS "${LW_TORCH_INCLUDE}/fmt")
  file(GLOB torch_headers RELATIVE "${LW_TORCH_INCLUDE}" "${LW_TORCH_INCLUDE}/*")
  list(REMOVE_ITEM torch_headers fmt google pybind11)
  set(LW_TORCH_INCLUDE "${CMAKE_BINARY_DIR}/torch-include")
  file(MAKE_DIRECTORY "${LW_TORCH_INCLUDE}")
  foreach(entry IN LISTS torch_headers)
    file(CREATE_LINK "${LW_TORCH_ROOT}/include/${entry}" "${LW_TORCH_INCLUDE}/${entry}" SYMBOLIC)
  endforeach()
endif()

add_library(lw_c10 SHARED IMPORTED)
set_target_properties(lw_c10 PROPERTIES IMPORTED_LOCATION "${LW_TORCH_ROOT}/lib/libc10.so" IMPORTED_NO_SONAME ON)
add_library(lw_torch_cpu SHARED IMPORTED)
set_target_properties(lw_torch_cpu PROPERTIES IMPORTED_LOCATION "${LW_TORCH_ROOT}/lib/libtorch_cpu.so" IMPORTED_NO_SONAME ON)

add_library(lw_torch INTERFACE)
add_library(lw::torch ALIAS lw_torch)
target_include_directories(lw_torch SYSTEM INTERFACE
  "${LW_TORCH_INCLUDE}" "${LW_TORCH_INCLUDE}/torch/csrc/api/include")
target_link_libraries(lw_torch INTERFACE lw_torch_cpu lw_c10)

# at::parallel_for is a template that is compiled into our code, and without OpenMP its body runs on one thread, silently. The run-time
# library is the wheel's own (LibTorch links it by the same name), so that there is one pool of threads.
target_compile_options(lw_torch INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fopenmp>)
# Two libraries, one behind the other, so that the constructor of the second runs before libgomp's, for which it sets the environment
# (core/device/waiting/waiting.cpp says why two).
add_library(lw_environment SHARED "${CMAKE_SOURCE_DIR}/core/device/waiting/environment.cpp")
target_include_directories(lw_environment PRIVATE "${CMAKE_SOURCE_DIR}")
add_library(lw_waiting SHARED "${CMAKE_SOURCE_DIR}/core/device/waiting/waiting.cpp")
target_include_directories(lw_waiting PRIVATE "${CMAKE_SOURCE_DIR}")
target_link_libraries(lw_waiting PRIVATE lw_environment)
set_target_properties(lw_waiting PROPERTIES INSTALL_RPATH "$ORIGIN")
find_library(LW_GOMP_LIBRARY NAMES libgomp.so.1 gomp PATHS "${LW_TORCH_ROOT}/lib" NO_DEFAULT_PATH)
if(LW_GOMP_LIBRARY)
  target_link_libraries(lw_torch INTERFACE "${LW_GOMP_LIBRARY}" lw_waiting)
else()
  target_link_libraries(lw_torch INTERFACE gomp lw_waiting)
endif()
# libtorch_cpu.so needs libcudart and libcupti, which its own run path finds beside it; the linker need not see them.
target_link_options(lw_torch INTERFACE "LINKER:--allow-shlib-undefined")
