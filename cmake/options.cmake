# Flags shared by every target: warnings are errors, and a*b+c is never fused, so that the same
# seed gives the same bytes on every compiler and machine.
add_compile_options(-ffp-contract=off)

add_library(hannan_warnings INTERFACE)
target_compile_options(hannan_warnings INTERFACE $<BUILD_INTERFACE:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion;-Wno-sign-conversion;-Wno-missing-field-initializers;-Werror>)
# g++ 12 takes string concatenation for overlapping copies (GCC bug 105651).
target_compile_options(hannan_warnings INTERFACE $<BUILD_INTERFACE:$<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>>)

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

set(HANNAN_SANITIZE "" CACHE STRING "Sanitizers, e.g. address,undefined")
if(HANNAN_SANITIZE)
  add_compile_options(-fsanitize=${HANNAN_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${HANNAN_SANITIZE})
endif()
