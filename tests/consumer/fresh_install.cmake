# Installs a build tree to an empty prefix, forgetting what was built against an older one, and
# refuses a package that still points back at the tree it came from.
file(REMOVE_RECURSE ${prefix} ${examples})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${build} --prefix ${prefix} COMMAND_ERROR_IS_FATAL ANY)

file(GLOB_RECURSE written ${prefix}/*.cmake ${prefix}/*.pc)
if(NOT written)
  message(FATAL_ERROR "nothing was installed that could be found by find_package or pkg-config")
endif()
foreach(file IN LISTS written)
  file(READ ${file} text)
  string(FIND "${text}" "${source}" at)
  if(NOT at EQUAL -1)
    message(FATAL_ERROR "${file} names ${source}")
  endif()
endforeach()

# The program comes with its manual pages and completion.
if(EXISTS ${prefix}/bin/hannan)
  foreach(part man/man1/hannan.1 man/man1/hannan-run.1 bash-completion/completions/hannan zsh/site-functions/_hannan)
    if(NOT EXISTS ${prefix}/share/${part})
      message(FATAL_ERROR "found no share/${part} beside the program")
    endif()
  endforeach()
endif()

# The headers installed are those that a user of hannan.hpp and problems.hpp sees, at most 25, as the compiler lists them: none is missing, none is extra.
file(WRITE ${prefix}/public.cpp "#include \"hannan/hannan.hpp\"\n#include \"hannan/problems.hpp\"\n")
execute_process(COMMAND ${compiler} -std=c++20 -I${prefix}/include -M ${prefix}/public.cpp OUTPUT_VARIABLE seen COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE installed ${prefix}/include/*)
list(LENGTH installed headers)
if(headers EQUAL 0 OR headers GREATER 25)
  message(FATAL_ERROR "found ${headers} installed headers, expected 1 to 25")
endif()
string(REGEX REPLACE "[ \\\n]+" ";" seen "${seen}")
list(REMOVE_ITEM installed ${seen})
if(installed)
  message(FATAL_ERROR "headers were installed that hannan.hpp and problems.hpp do not reach: ${installed}")
endif()
