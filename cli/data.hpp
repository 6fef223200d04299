// A problem together with its data file: the file's width fills in what was left unsaid.
#pragma once

#include <memory>
#include <string>

#include "command.hpp"
#include "hannan/engine/source.hpp"

namespace hannan::cli {

struct ProblemAndData {
  std::shared_ptr<ProblemFace> problem;
  std::unique_ptr<Source> source;
};

// `path` "-" is standard input; empty: the outcomes are those that flags.from holds.
ProblemAndData open_data(const ProblemFlags& flags, const std::string& path);
// The outcomes of a problem that is at hand already: from the file, or those that flags.from holds.
std::unique_ptr<Source> open_source(const ProblemFace& problem, const ProblemFlags& flags, const std::string& path);

}  // namespace hannan::cli
