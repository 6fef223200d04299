// A file of any kind that a page can show; the kind is detected from its content and not from its name.
#pragma once

#include <string>

#include "hannan/report/section.hpp"

namespace hannan::detail {

struct SectionRequest {
  std::string path;  // a file, plain or gzipped, or the folder of an experiment
  Checking checking = Checking::kVerify;
  LogNames log;
};

// Throws kCannotRead, kEmpty, kNotJson, and kMalformed for what is none of ours or lacks fields. A record that does not
// verify is no exception: the section says so, and why.
Section open_section(const SectionRequest& request);

}  // namespace hannan::detail
