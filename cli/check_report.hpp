// What `hannan check` found, for people.
#pragma once

#include <cstdio>
#include <string>

#include "hannan/io/json.hpp"

namespace hannan::detail::cli {

// `answer` is what AnyProblem::check gave; `outcomes` says in words which outcomes were looked at.
void show_check(std::FILE* to, const Json& answer, const std::string& outcomes);

}  // namespace hannan::detail::cli
