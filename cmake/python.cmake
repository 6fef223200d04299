# Whether the Python module is built: on where Python, NumPy and pybind11 are found, and never needed.
# The interpreter is the system's, which has the packages of the system; -DPython_EXECUTABLE=... names another.
if(NOT Python_EXECUTABLE)
  find_program(Python_EXECUTABLE python3 NO_SYSTEM_ENVIRONMENT_PATH NO_CMAKE_ENVIRONMENT_PATH)
endif()
if(NOT DEFINED HANNAN_BUILD_PYTHON)
  set(HANNAN_PYTHON_FOUND OFF)
  # By g++ for this machine: the module of another compiler, or with threads sanitized, is not tested.
  if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CROSSCOMPILING AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND Python_EXECUTABLE
     AND NOT HANNAN_SANITIZE MATCHES "thread")
    find_package(Python 3.9 QUIET COMPONENTS Interpreter Development.Module NumPy)
    find_package(pybind11 QUIET CONFIG)
    if(Python_FOUND AND pybind11_FOUND)
      set(HANNAN_PYTHON_FOUND ON)
    endif()
  endif()
endif()
option(HANNAN_BUILD_PYTHON "Build the Python module" ${HANNAN_PYTHON_FOUND})
if(HANNAN_BUILD_PYTHON)
  set(PYBIND11_FINDPYTHON ON)
  # NumPy is needed when the module runs, not when it is compiled: pip compiles before it installs NumPy.
  find_package(Python 3.9 REQUIRED COMPONENTS Interpreter Development.Module)
  find_package(pybind11 REQUIRED CONFIG)
endif()
