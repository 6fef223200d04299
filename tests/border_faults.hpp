// What the border of a problem says to params, an action and an outcome: "code place", or "none".
#pragma once

#include <string>

#include "hannan/core/error.hpp"
#include "hannan/io/codec.hpp"

namespace hannan::detail {

struct BorderCase {
  std::string params;
  std::string action;  // empty: not asked
  std::string outcome;
};

template <class P>
std::string fault_of(const BorderCase& given) {
  try {
    const Json json = parse_json(given.params);
    Fields fields(json, "params");
    const auto p = Codec<P>::parse(fields);
    fields.done();
    if (!given.action.empty()) Codec<P>::parse_action(*p, parse_json(given.action), "action");
    Codec<P>::parse_outcome(*p, parse_json(given.outcome), "outcome");
  } catch (const Error& e) {
    return code_name(e.code()) + " " + e.at();
  }
  return "none";
}

}  // namespace hannan::detail
