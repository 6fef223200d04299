# Debian packages by `cpack` in a build folder: hannan (the program, its plans, manual pages and completions), hannan-serve
# (the service, with the libraries of HTTP and databases), hannan-bench (the benchmarks and their rivals), libhannan-dev (the library and its public headers) and, where the module is built, python3-hannan. Needs dpkg-dev.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME hannan)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_CONTACT "Hannan maintainers <hannan@localhost>")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_COMPONENTS_ALL runtime serve bench dev)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION math)

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME hannan)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)  # what the program is linked with
set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS coinor-libclp1)  # loaded where it is used
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS hannan-serve)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS hannan-bench)
foreach(part SERVE BENCH)  # started by hannan, which has their manual pages: of the same version
  string(TOLOWER hannan-${part} CPACK_DEBIAN_${part}_PACKAGE_NAME)
  set(CPACK_DEBIAN_${part}_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_${part}_PACKAGE_DEPENDS "hannan (= ${PROJECT_VERSION})")
endforeach()
set(CPACK_COMPONENT_SERVE_DESCRIPTION "The service: hannan serve, decisions over HTTP with every outcome on disk.")
set(CPACK_COMPONENT_BENCH_DESCRIPTION "The benchmarks: hannan bench, and the rivals it measures against.")
# Up to 0.3.0 the package hannan had the files of both.
set(CPACK_DEBIAN_SERVE_PACKAGE_REPLACES "hannan (<= 0.3.0)")
set(CPACK_DEBIAN_BENCH_PACKAGE_REPLACES "hannan (<= 0.3.0)")
# The user of the service, and its end when the package is removed.
set(CPACK_DEBIAN_SERVE_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/debian/postinst
                                             ${PROJECT_SOURCE_DIR}/cmake/debian/prerm)
set(CPACK_DEBIAN_SERVE_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libhannan-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_DEV_DESCRIPTION "The C++ library: its static archive and its public headers.")
if(HANNAN_LIBRARY_TYPE STREQUAL "STATIC_LIBRARY")  # what a static archive must be linked with: hannan-config.cmake
  set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
      "libfmt-dev, zlib1g-dev, libexpat1-dev, libssl-dev, libsimdjson-dev, coinor-libclp1, libhwy-dev, pkg-config")
else()
  set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "hannan (= ${PROJECT_VERSION})")
endif()
if(HANNAN_BUILD_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-hannan)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
  # The module is made for one minor version of the interpreter.
  math(EXPR HANNAN_NEXT_PYTHON "${Python_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${HANNAN_NEXT_PYTHON}), python3-numpy, coinor-libclp1")
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "The Python package: import hannan.")
endif()
include(CPack)
