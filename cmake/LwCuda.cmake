# The CUDA part: one shared library that the program loads where an NVIDIA driver is found. It is built when nvcc is there
# and there are kernels to build; no GPU is needed for building. Its interface is plain C, so it links no LibTorch.
file(GLOB LW_CUDA_SOURCES CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/core/attention/kernels/cuda/*.cu")
if(LW_CUDA_SOURCES AND NOT LW_CUDA STREQUAL "OFF")
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    # Turing (fp16 tensor cores), Ampere and Ada (one code serves both), Hopper, Blackwell; newer ones translate the last entry's PTX.
    set(CMAKE_CUDA_ARCHITECTURES "75-real;80-real;90-real;100" CACHE STRING "GPU generations to build for")
    enable_language(CUDA)
    add_library(lw_cuda SHARED ${LW_CUDA_SOURCES})
    target_include_directories(lw_cuda PRIVATE "${CMAKE_SOURCE_DIR}")
    set_target_properties(lw_cuda PROPERTIES CUDA_STANDARD 17 CUDA_RUNTIME_LIBRARY Static)
  elseif(LW_CUDA STREQUAL "ON")
    message(FATAL_ERROR "LW_CUDA is ON, but nvcc was not found. Install the CUDA toolkit 13, or configure with -DLW_CUDA=OFF.")
  endif()
endif()
