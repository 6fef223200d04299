# The parts of the pages of `hannan report` are written into the library; the dashboard takes those of page/kit from there.
set(HANNAN_PAGE_PARTS html=page.html css=page.css script=page.js)
foreach(name figure verdict gains bands tree)
  list(APPEND HANNAN_PAGE_PARTS ${name}=${name}.js)
endforeach()
foreach(file tokens.css base.css cards.css text.js plot.js)
  string(REGEX REPLACE "[.].*" "=kit/${file}" part ${file})
  list(APPEND HANNAN_PAGE_PARTS ${part})
endforeach()
list(TRANSFORM HANNAN_PAGE_PARTS REPLACE "=" "=${PROJECT_SOURCE_DIR}/hannan/report/page/")
list(TRANSFORM HANNAN_PAGE_PARTS REPLACE "^[a-z_]+=" "" OUTPUT_VARIABLE HANNAN_PAGE_FILES)
add_custom_command(OUTPUT page_parts.cpp
                   COMMAND ${CMAKE_COMMAND} -DOUTPUT=page_parts.cpp "-DPARTS=${HANNAN_PAGE_PARTS}"
                           -DHEADER=hannan/report/page_parts.hpp -DNAMESPACE=hannan::detail::page_parts -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
                   DEPENDS ${HANNAN_PAGE_FILES} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
                   COMMENT "Embedding the parts of hannan report" VERBATIM)
list(APPEND HANNAN_SOURCES ${CMAKE_CURRENT_BINARY_DIR}/page_parts.cpp)
