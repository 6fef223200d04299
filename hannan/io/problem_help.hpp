// What a user can say of a problem: its parameters in one line each, what a round of its data is, and a command.
//
// `hannan help PROBLEM`, the message about missing parameters and the manual are made from it. It is Codec<P>::help().
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hannan/io/json.hpp"

namespace hannan::detail {

struct ParameterHelp {
  enum class Need { kNeeded, kOptional };
  std::string_view name;
  std::string_view about;    // one line
  std::string_view example;  // a value to begin with, as --param takes it; of an optional one its default, or empty
  Need need = Need::kOptional;
  std::string_view unless;  // needed unless one of these is given; spaces part them; --from: a file that has it
};

struct ProblemHelp {
  std::vector<ParameterHelp> parameters;
  std::vector<ParameterHelp> file_options;  // further ones with --from, where the problem is read from a file
  std::string_view data;                    // what a round is in a file
  std::string_view outcome;                 // one as JSON, which the parameters of the examples allow
  std::string_view example;                 // lines for a shell
};

// The needed parameters that `given` lacks; with a file, also those that say how it is read, without those that it has.
enum class ParameterSource { kParameters, kFile };
std::vector<ParameterHelp> missing_parameters(const ProblemHelp& help, const Json& given,
                                              ParameterSource source = ParameterSource::kParameters);
// `bidders=4 (how many bid), levels=20 (...)` for a message, `prefix` before each.
std::string suggested_text(const std::vector<ParameterHelp>& parameters, std::string_view prefix = {});

}  // namespace hannan::detail
