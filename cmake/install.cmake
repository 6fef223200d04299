# What `cmake --install` puts where: the library, its public headers, the programs, and the two ways to be
# found, find_package(hannan) and pkg-config. Components: runtime (the default: hannan), serve and bench (the programs that
# `hannan serve` and `hannan bench` become) and dev.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_target_property(HANNAN_LIBRARY_TYPE hannan TYPE)
set_target_properties(hannan PROPERTIES VERSION ${PROJECT_VERSION}
                                        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

# A static archive hands its link line on to the user's program. Flags and headers that only its own
# sources need are no part of that.
get_target_property(HANNAN_LINKS hannan INTERFACE_LINK_LIBRARIES)
if(HANNAN_LINKS)
  list(FILTER HANNAN_LINKS EXCLUDE REGEX "hannan_warnings|nlohmann_json")
  set_target_properties(hannan PROPERTIES INTERFACE_LINK_LIBRARIES "${HANNAN_LINKS}")
endif()
# Oracles and matrices of a user's own types are templates, compiled by the user: fused multiply-adds there would break
# "same seed, same bytes" just as they would here (options.cmake).
target_compile_options(hannan INTERFACE $<INSTALL_INTERFACE:-ffp-contract=off>)

install(TARGETS hannan EXPORT hannan ARCHIVE COMPONENT dev LIBRARY COMPONENT runtime NAMELINK_COMPONENT dev)
install(CODE "set(source ${PROJECT_SOURCE_DIR})\nset(include ${CMAKE_INSTALL_INCLUDEDIR})\ninclude(${PROJECT_SOURCE_DIR}/cmake/install_headers.cmake)"
        COMPONENT dev)
install(FILES LICENSE README.md CHANGELOG.md TYPE DOC)
install(DIRECTORY plans DESTINATION ${CMAKE_INSTALL_DATADIR}/hannan)
if(HANNAN_BUILD_CLI)
  if(HANNAN_LIBRARY_TYPE STREQUAL "SHARED_LIBRARY")  # the program finds it wherever the prefix is moved
    file(RELATIVE_PATH HANNAN_BIN_TO_LIB /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
    set_target_properties(hannan-cli hannan-serve hannan-bench PROPERTIES INSTALL_RPATH "$ORIGIN/${HANNAN_BIN_TO_LIB}")
  endif()
  install(TARGETS hannan-cli)
  install(TARGETS hannan-serve RUNTIME COMPONENT serve)
  install(TARGETS hannan-bench RUNTIME COMPONENT bench)
  # The service: a unit of systemd and the user it runs as. Where systemd looks does not depend on the machine's libdir.
  install(FILES examples/service/hannan.service DESTINATION lib/systemd/system COMPONENT serve)
  install(FILES examples/service/hannan.sysusers DESTINATION lib/sysusers.d RENAME hannan.conf COMPONENT serve)
  install(FILES examples/service/nginx.conf examples/service/Caddyfile DESTINATION ${CMAKE_INSTALL_DOCDIR}/service COMPONENT serve)
endif()

# find_package(hannan). Before 1.0 a minor version may break what a smaller one promised.
set(HANNAN_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/hannan)
install(EXPORT hannan NAMESPACE hannan:: FILE hannan-targets.cmake DESTINATION ${HANNAN_CMAKE_DIR} COMPONENT dev)
configure_package_config_file(cmake/hannan-config.cmake.in ${PROJECT_BINARY_DIR}/hannan-config.cmake
                              INSTALL_DESTINATION ${HANNAN_CMAKE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/hannan-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/hannan-config.cmake ${PROJECT_BINARY_DIR}/hannan-config-version.cmake
        DESTINATION ${HANNAN_CMAKE_DIR} COMPONENT dev)

# pkg-config. It has no "link this too" for static archives unless asked with --static, so a static
# build requires its libraries openly and a shared one privately. Paths are relative to the file.
set(HANNAN_PC_DIR ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH HANNAN_PC_TO_PREFIX /${HANNAN_PC_DIR} /)
string(REGEX REPLACE "/$" "" HANNAN_PC_TO_PREFIX "${HANNAN_PC_TO_PREFIX}")
if(HANNAN_LIBRARY_TYPE STREQUAL "STATIC_LIBRARY")
  set(HANNAN_PC_REQUIRES "Requires")
else()
  set(HANNAN_PC_REQUIRES "Requires.private")
endif()
configure_file(cmake/hannan.pc.in ${PROJECT_BINARY_DIR}/hannan.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/hannan.pc DESTINATION ${HANNAN_PC_DIR} COMPONENT dev)
