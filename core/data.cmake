# Corpora, tokenizers and batches; the synthetic tasks' sources come from tasks/entries.def.
set(LW_TASK_SOURCES)
if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/data/tasks/entries.def")
  lw_entries(LW_TASK_SOURCES data/tasks)
endif()
file(GLOB data_common CONFIGURE_DEPENDS data/*.cpp)
lw_layer(data SOURCES ${LW_TASK_SOURCES} ${data_common} LIBRARIES PkgConfig::SENTENCEPIECE)
