// A problem read from a file of its own kind (a table of labelled points, a graph): its parameters, and
// its outcomes in order where the file holds them too.
#pragma once

#include <vector>

#include "hannan/io/json.hpp"

namespace hannan::detail {

struct Imported {
  Json params = Json::object();
  std::vector<Json> outcomes;
  std::vector<double> logged;  // the loss of what was decided in the round of each; empty: the file does not say it
};

}  // namespace hannan::detail
