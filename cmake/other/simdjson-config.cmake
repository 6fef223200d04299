# simdjson of the other architecture (cmake/other.cmake): the native package's headers, the other one's shared library.
file(GLOB simdjson_library /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/libsimdjson.so.*)
if(NOT simdjson_library)
  message(FATAL_ERROR "no libsimdjson.so in /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}: scripts/setup --other installs it")
endif()
list(GET simdjson_library 0 simdjson_library)
add_library(simdjson::simdjson SHARED IMPORTED)
set_target_properties(simdjson::simdjson PROPERTIES IMPORTED_LOCATION ${simdjson_library} INTERFACE_INCLUDE_DIRECTORIES /usr/include)
