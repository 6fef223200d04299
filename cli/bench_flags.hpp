// The flags of `hannan bench`, read by the program hannan-bench and explained by the program hannan.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "flags.hpp"

namespace hannan::detail::cli {

inline constexpr const char* kSignaturePart = "signature";  // of --only, beside the races of bench_parts.hpp

struct BenchFlags {
  std::vector<std::string> only;
  std::string rivals;
  bool quick = false;
  bool all_sizes = false;
  bool json = false;
  bool markdown = false;
  bool quiet = false;
};

// Defines the command but for what it runs.
std::shared_ptr<BenchFlags> add_bench_flags(Command& command);

}  // namespace hannan::detail::cli
