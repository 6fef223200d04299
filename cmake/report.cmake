# The pages of `hannan report` carry the chart library with them, from its package: no script of others is kept here.
option(HANNAN_REPORT "Let `hannan report` write pages (needs dygraphs, Debian's libjs-dygraphs)" ON)
set(HANNAN_PAGE_PARTS html= tokens= css= figure= sheet= verdict= gains= tree= script= chart_css= chart_script= chart_licence=)
if(HANNAN_REPORT)
  find_path(HANNAN_DYGRAPHS dygraph.min.js PATHS /usr/share/javascript/dygraphs /usr/share/nodejs/dygraphs/dist
            DOC "Folder of dygraph.min.js and dygraph.min.css, version 2")
  if(NOT HANNAN_DYGRAPHS)
    message(FATAL_ERROR "hannan report draws with dygraphs, and dygraph.min.js was not found. Install the package libjs-dygraphs "
                        "(scripts/setup does), or name its folder with -DHANNAN_DYGRAPHS=..., or build a program that cannot "
                        "write pages with -DHANNAN_REPORT=OFF.")
  endif()
  set(pages ${PROJECT_SOURCE_DIR}/hannan/report/page)
  set(HANNAN_PAGE_PARTS html=${pages}/page.html tokens=${pages}/tokens.css css=${pages}/page.css figure=${pages}/figure.js
                        sheet=${pages}/sheet.js verdict=${pages}/verdict.js gains=${pages}/gains.js tree=${pages}/tree.js script=${pages}/page.js
                        chart_css=${HANNAN_DYGRAPHS}/dygraph.min.css chart_script=${HANNAN_DYGRAPHS}/dygraph.min.js)
  # Its licence asks to go wherever it goes.
  find_file(HANNAN_DYGRAPHS_LICENCE NAMES copyright LICENSE.txt PATHS /usr/share/doc/libjs-dygraphs ${HANNAN_DYGRAPHS} ${HANNAN_DYGRAPHS}/..
            NO_DEFAULT_PATH)
  if(HANNAN_DYGRAPHS_LICENCE)
    list(APPEND HANNAN_PAGE_PARTS chart_licence=${HANNAN_DYGRAPHS_LICENCE})
  else()
    message(FATAL_ERROR "The licence of dygraphs was not found beside ${HANNAN_DYGRAPHS}: name the file with -DHANNAN_DYGRAPHS_LICENCE=...")
  endif()
  list(TRANSFORM HANNAN_PAGE_PARTS REPLACE "^[a-z_]+=" "" OUTPUT_VARIABLE HANNAN_PAGE_FILES)
endif()
add_custom_command(OUTPUT page_parts.cpp
                   COMMAND ${CMAKE_COMMAND} -DOUTPUT=page_parts.cpp "-DPARTS=${HANNAN_PAGE_PARTS}"
                           -DHEADER=hannan/report/page_parts.hpp -DNAMESPACE=hannan::detail::page_parts -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
                   DEPENDS ${HANNAN_PAGE_FILES} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
                   COMMENT "Embedding the parts of hannan report" VERBATIM)
list(APPEND HANNAN_SOURCES ${CMAKE_CURRENT_BINARY_DIR}/page_parts.cpp)
