# Studies: the queue and its statistics; the ways to write a report come from formats/entries.def.
lw_entries(LW_REPORT_SOURCES study/formats)
file(GLOB study_common CONFIGURE_DEPENDS study/*.cpp)
lw_layer(study SOURCES ${LW_REPORT_SOURCES} ${study_common})
