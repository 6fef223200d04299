// The flags that say how a bid log is read: one set for `hannan convert`, `run` and `compare`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "flags.hpp"
#include "hannan/bidlog/log_options.hpp"

namespace hannan::detail::cli {

struct LogFlags : LogOptions {
  std::string first_given;  // the first of these flags on the command line; empty: none
};

// `first_given` is filled in by first_log_flag, when the command line has been read.
void add_log_flags(Command& command, LogFlags& flags);
std::string first_log_flag(const Command& command, const std::vector<std::string_view>& besides = {});

// As the library plans it, where the name of the file says the format if no flag does. Throws kUsage where the log
// would have to be read twice and cannot be, besides what the library throws.
LogPlan log_plan(const LogFlags& flags, const LogRequest& request);

}  // namespace hannan::detail::cli
