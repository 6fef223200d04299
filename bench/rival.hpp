// Another way of doing the same thing: a program that reads a line of JSON and answers with one.
#pragma once

#include <string>

#include "bench/row.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail::bench {

// {"error": why} where the rival is not here, breaks off or takes more than `seconds`.
struct RivalRequest {
  std::string program;  // a file of Setting::rivals; .py: run by Setting::python
  Json question;
  double seconds = 300;
};
Json ask_rival(const Setting& setting, const RivalRequest& request);

// The first interpreter that has NumPy; empty: there is none.
std::string find_python();

}  // namespace hannan::detail::bench
