// One number for how the house behaves: a fingerprint of short fixed runs of every problem with every
// learner. A change that is meant to alter no decision leaves it as it was; one that does alter them says so.
//
// What goes in: every action and loss, and the sums at the end. What does not: calls, nodes and times, which
// may become better at any time.
#pragma once

#include <string>

#include "bench/row.hpp"

namespace hannan::detail::bench {

struct Signature {
  std::string hex;
  std::size_t runs = 0;
  std::size_t refused = 0;  // combinations that do not exist
};

Signature signature(const Setting& setting);

}  // namespace hannan::detail::bench
