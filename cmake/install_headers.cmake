# Installs the public headers: hannan/hannan.hpp, hannan/problems.hpp and every header of ours that they reach by includes, and no
# other.
# Run at install time, so that the list is that of the sources as they stand. Expects `source` (the tree) and
# `include` (the folder to install to, absolute or relative to the prefix).
cmake_policy(VERSION 3.25)
set(public "")
set(waiting hannan/hannan.hpp hannan/problems.hpp)
while(waiting)
  list(POP_FRONT waiting header)
  if(header IN_LIST public)
    continue()
  endif()
  if(NOT EXISTS ${source}/${header})
    message(FATAL_ERROR "a public header includes ${header}, which does not exist")
  endif()
  list(APPEND public ${header})
  file(STRINGS ${source}/${header} lines REGEX "^[ \t]*#[ \t]*include[ \t]+\"hannan/")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "\"(hannan/[^\"]+)\"" unused "${line}")
    list(APPEND waiting ${CMAKE_MATCH_1})
  endforeach()
endwhile()

cmake_path(ABSOLUTE_PATH include BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX})
foreach(header IN LISTS public)
  cmake_path(GET header PARENT_PATH folder)
  file(INSTALL ${source}/${header} DESTINATION ${include}/${folder})
endforeach()
