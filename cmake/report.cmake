# Embeds the report page in the library. The page is one html that tools/build_report.sh makes from report/; a source archive brings
# it along. Without it everything else is built all the same, and the program says so.
file(GLOB DISC_REPORT_PAGES CONFIGURE_DEPENDS build/report/report.html report/dist/report.html)
set(page "")
if(NOT DISC_REPORT)
  message(STATUS "report page: excluded (DISC_REPORT is OFF)")
elseif(NOT DISC_REPORT_PAGES)
  message(WARNING "report page: not built, so the program is built without it; tools/build_report.sh makes it (needs node)")
else()
  list(GET DISC_REPORT_PAGES 0 page)
  message(STATUS "report page: ${page}")
endif()

set(embedded ${PROJECT_BINARY_DIR}/report_page.cpp)
add_custom_command(OUTPUT ${embedded}
  COMMAND ${CMAKE_COMMAND} -DPAGE=${page} -DOUTPUT=${embedded} -P ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake
  DEPENDS ${page} ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake
  VERBATIM)
target_sources(disc PRIVATE ${embedded})
set_source_files_properties(${embedded} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
