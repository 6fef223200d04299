# The sources that follow from the tables of parts: one for every line of hannan/problems/all.hpp, and the table of noise laws.
#   cmake -DTREE=sources -DOUTPUT=folder -P listed_sources.cmake
# writes all of them, those of the conformance suite too, for the lines of another tree: tests/new_parts.

# A file TEMPLATE filled in for every line, as FOLDER/<file>SUFFIX; RESULT lists what was written.
function(hannan_per_problem tree template folder suffix result)
  file(STRINGS ${tree}/hannan/problems/all.hpp lines REGEX "^HANNAN_PROBLEM")
  set(written "")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "\\(([a-z_]+), ([A-Za-z]+)\\)" unused "${line}")
    set(HANNAN_FILE ${CMAKE_MATCH_1})
    set(HANNAN_TYPE ${CMAKE_MATCH_2})
    configure_file(${tree}/${template} ${folder}/${HANNAN_FILE}${suffix} @ONLY)
    list(APPEND written ${folder}/${HANNAN_FILE}${suffix})
  endforeach()
  set(${result} ${written} PARENT_SCOPE)
endfunction()

# The table of noise laws, a row per line of its list, as OUTPUT.
function(hannan_noise_table tree output)
  file(STRINGS ${tree}/hannan/noise/all.hpp lines REGEX "^HANNAN_NOISE")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "\\(([a-z_]+), ([A-Za-z]+)\\)" unused "${line}")
    string(APPEND HANNAN_NOISE_INCLUDES "#include \"hannan/noise/${CMAKE_MATCH_1}.hpp\"\n")
    string(APPEND HANNAN_NOISE_ROWS "      noise_kind<${CMAKE_MATCH_2}>(),\n")
  endforeach()
  configure_file(${tree}/hannan/noise/noise_kinds.cpp.in ${output} @ONLY)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  hannan_per_problem(${TREE} hannan/runtime/kind.cpp.in ${OUTPUT} .cpp unused)
  hannan_per_problem(${TREE} tests/conformance/problem_test.cpp.in ${OUTPUT} _test.cpp unused)
  hannan_noise_table(${TREE} ${OUTPUT}/noise_kinds.cpp)
endif()
