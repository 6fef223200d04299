// The question about a table that is to hold losses and looks like forecasts (H213, hannan/streams/loss_doubt.hpp).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "command.hpp"
#include "hannan/io/table.hpp"
#include "hannan/runtime/any_problem.hpp"

namespace hannan::detail::cli {

struct AskedTable {
  const AnyProblem& problem;
  const ProblemFlags& flags;
  const std::string& path;
  const std::vector<std::string>& names;         // of its columns
  std::function<std::unique_ptr<Table>()> open;  // once more, from its beginning
};
// Throws H213 where the columns are to be losses, --losses does not say that they are, and they look like something
// else. Only a regular file is opened again; of standard input and pipes the names alone are known.
void ask_about_losses(const AskedTable& table);

}  // namespace hannan::detail::cli
