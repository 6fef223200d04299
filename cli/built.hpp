// What was built, for --version: the signature of its decisions, the compiler, the processor, and whether assertions
// are in it. Nothing of the time or the folder of the build, so that two builds of the same sources are the same bytes.
#pragma once

#include <string>

#include "hannan/runtime/version.hpp"

namespace hannan::detail::cli {

inline std::string built_text() {
#ifdef __clang__
  const std::string compiler = std::string("clang++ ") + __clang_version__;
#else
  const std::string compiler = std::string("g++ ") + __VERSION__;
#endif
#if defined(__aarch64__)
  const std::string processor = "arm64";
#elif defined(__x86_64__)
  const std::string processor = "x86-64";
#else
  const std::string processor = "another processor";
#endif
#ifdef NDEBUG
  const std::string assertions = "without assertions";
#else
  const std::string assertions = "with assertions";
#endif
  return std::string("signature ") + kSignature + "; compiled by " + compiler + " for " + processor + ", " + assertions;
}

}  // namespace hannan::detail::cli
