// Asks the question of H213 before a table is played as losses; --losses answers it.
#include "loss_question.hpp"

#include <filesystem>
#include <system_error>

#include "hannan/runtime/loss_rows.hpp"
#include "hannan/streams/loss_doubt.hpp"
#include "hannan/streams/source.hpp"
#include "live_input.hpp"

namespace hannan::detail::cli {

void ask_about_losses(const AskedTable& table) {
  const std::string& path = table.path;
  if (table.flags.losses || path.empty() || looks_like_json_lines(path) ||
      !rows_are_losses(problem_kind(table.flags.kind)))
    return;
  std::error_code unknown;
  std::vector<double> numbers;
  if (std::filesystem::is_regular_file(path, unknown)) numbers = first_rows(*table.open());
  doubt_losses({.problem = table.problem.kind(),
                .names = table.names,
                .numbers = numbers,
                .range = table.problem.game().loss_range()},
               table.problem.row_width(), input_name(path));
}

}  // namespace hannan::detail::cli
