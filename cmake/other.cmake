# Toolchain file for the architecture this machine is not: arm64 on x86-64, x86-64 on arm64. It needs what
# packages-other.txt names (scripts/setup --other); what it builds runs under qemu's user mode.
set(CMAKE_SYSTEM_NAME Linux)
if(CMAKE_HOST_SYSTEM_PROCESSOR STREQUAL "x86_64")
  set(CMAKE_SYSTEM_PROCESSOR aarch64)
  set(other_compiler aarch64-linux-gnu)
elseif(CMAKE_HOST_SYSTEM_PROCESSOR STREQUAL "aarch64")
  set(CMAKE_SYSTEM_PROCESSOR x86_64)
  set(other_compiler x86_64-linux-gnu)
else()
  message(FATAL_ERROR "found a machine of kind ${CMAKE_HOST_SYSTEM_PROCESSOR}, expected x86_64 or aarch64: no other architecture is known for it")
endif()
set(CMAKE_CXX_COMPILER ${other_compiler}-g++)
set(CMAKE_LIBRARY_ARCHITECTURE ${other_compiler})
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${CMAKE_SYSTEM_PROCESSOR})

# Libraries of the other architecture stand beside the native ones. Without this pkg-config names the native ones.
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/${other_compiler}/pkgconfig:/usr/share/pkgconfig)
# Debian's libsimdjson-dev is not installable twice; its headers and the other architecture's library are enough.
set(simdjson_DIR ${CMAKE_CURRENT_LIST_DIR}/other)
# libpq-dev is not installable twice either: its headers are the same, the library is the other architecture's.
set(PostgreSQL_INCLUDE_DIR /usr/include/postgresql)
set(PostgreSQL_TYPE_INCLUDE_DIR /usr/include/postgresql)
set(PostgreSQL_LIBRARY /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/libpq.so.5)
