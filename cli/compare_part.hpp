// `hannan compare --feedback`: learners that see a part of the data, or a log with a control group.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data.hpp"

namespace hannan::detail::cli {

struct PartCompare {
  const ProblemFlags& problem;
  const DataFlags& data;
  const MoneyFlags& money;
  const std::vector<std::string>& learners;
  const std::vector<std::string>& set;  // name=value, of all learners
  std::string feedback, look;
  std::uint64_t seed = 0;
  std::string out;
  bool json = false, quiet = false;
};
int compare_part(const PartCompare& flags);

}  // namespace hannan::detail::cli
