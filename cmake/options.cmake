# Flags shared by every target: warnings are errors, and a*b+c is never fused, so that the same
# seed gives the same bytes on every compiler and machine.
add_compile_options(-ffp-contract=off)
# g++ collects its garbage only when it has half a gigabyte: a twentieth less time, up to half more memory.
add_compile_options($<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=524288>)

add_library(hannan_warnings INTERFACE)
target_compile_options(hannan_warnings INTERFACE $<BUILD_INTERFACE:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion;-Wno-sign-conversion;-Wno-missing-field-initializers;-Werror>)
# g++ 12 takes string concatenation for overlapping copies (GCC bug 105651).
target_compile_options(hannan_warnings INTERFACE $<BUILD_INTERFACE:$<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>>)

option(HANNAN_PRECOMPILE "Compile what most sources include once (cmake/precompiled.hpp)" OFF)
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
  # The cache takes sources with a precompiled header only if it is told not to mind macros and times inside it.
  if(HANNAN_PRECOMPILE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
    add_compile_options($<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
  endif()
endif()

set(HANNAN_SANITIZE "" CACHE STRING "Sanitizers, e.g. address,undefined")
if(HANNAN_SANITIZE)
  add_compile_options(-fsanitize=${HANNAN_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${HANNAN_SANITIZE})
endif()
