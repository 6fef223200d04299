// Finds Clp's functions in the shared library, once. All of them or none: a library without one of them is refused like
// no library at all. The handle is never closed, since models may live as long as the process.
#include "hannan/certify/clp.hpp"

#include <dlfcn.h>

#include <string>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace {

constexpr const char* kLibrary = "libClp.so.1";  // of the version whose header was compiled

[[noreturn]] void refuse() {
  const char* why = dlerror();
  throw Error(Code::kUnavailable, std::string("found no solver of linear programmes (") + (why ? why : kLibrary) +
                                      "), expected Clp; install the package coinor-libclp1");
}

Clp load() {
  void* library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (!library) refuse();
  Clp found{};
#define HANNAN_CLP_FIND(name)                                                         \
  found.name = reinterpret_cast<decltype(&Clp_##name)>(dlsym(library, "Clp_" #name)); \
  if (!found.name) refuse();
  HANNAN_CLP_FUNCTIONS(HANNAN_CLP_FIND)
#undef HANNAN_CLP_FIND
  return found;
}

}  // namespace

const Clp& clp() {
  static const Clp loaded = load();
  return loaded;
}

}  // namespace hannan::detail
