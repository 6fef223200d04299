# Whether there are tests: HANNAN_BUILD_TESTS is ON, OFF, or FOUND, which leaves them out where their packages are not installed.
if(HANNAN_BUILD_TESTS)
  find_package(GTest QUIET)
  pkg_check_modules(CBC QUIET IMPORTED_TARGET cbc)
  if(NOT GTest_FOUND OR NOT (CBC_FOUND OR CMAKE_CROSSCOMPILING))  # for another architecture there are no tests against Cbc
    if(NOT HANNAN_BUILD_TESTS STREQUAL "FOUND")
      message(FATAL_ERROR "The tests need GoogleTest and Cbc, which were not found: scripts/setup --tests installs them, "
                          "-DHANNAN_BUILD_TESTS=OFF builds without the tests.")
    endif()
    message(STATUS "No tests in this build, for GoogleTest or Cbc was not found: scripts/setup --tests installs them.")
    set(HANNAN_BUILD_TESTS OFF)
  endif()
endif()
