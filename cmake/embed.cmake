# Turns files into a C++ source that holds their bytes:
#   cmake -DOUTPUT=x.cpp "-DPARTS=name=file;name=file" -DHEADER=y.hpp -DNAMESPACE=n -P embed.cmake
# Each becomes `extern const std::string_view n::name`, which the header declares; a name without a file is empty.
set(text "// Written by cmake/embed.cmake.\n#include \"${HEADER}\"\n\nnamespace ${NAMESPACE} {\n")
foreach(part IN LISTS PARTS)
  string(REGEX MATCH "^([a-z_]+)=(.*)$" unused "${part}")
  set(name ${CMAKE_MATCH_1})
  set(file ${CMAKE_MATCH_2})
  set(bytes "")
  set(size 0)
  if(file)
    file(READ "${file}" bytes HEX)
    file(SIZE "${file}" size)
    # 32 bytes a line keep the source readable for tools that read lines.
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(REGEX REPLACE "(................................................................................................................................................................)" "\\1\n" bytes "${bytes}")
  endif()
  string(APPEND text "static const unsigned char ${name}_bytes[] = {\n${bytes}0};\n"
                     "const std::string_view ${name}(reinterpret_cast<const char*>(${name}_bytes), ${size});\n")
endforeach()
string(APPEND text "}  // namespace ${NAMESPACE}\n")
file(WRITE "${OUTPUT}" "${text}")
