// Oracles by name: "NAME", "NAME:N" with a limit of N units of work a call (what a unit is, the oracle says),
// "external: COMMAND" for a program and "own:NAME" for code of this process. A limit is digits alone, fewer than 16 of
// them so that it fits; anything else behind the colon reads as 0 and is refused with what was expected.
#include "hannan/learners/choose_oracle.hpp"

#include "hannan/core/choose_named.hpp"
#include "hannan/core/error.hpp"
#include "hannan/external/external_oracle.hpp"
#include "hannan/external/external_program.hpp"
#include "hannan/external/own_oracles.hpp"

namespace hannan::detail {
namespace {

// The program of "external:COMMAND", started, or the code of "own:NAME"; null for every other name.
std::shared_ptr<const GameOracle> chosen_program(const std::shared_ptr<const Game>& problem, const std::string& name,
                                                 std::string_view path) {
  if (is_own_oracle(name)) return external_oracle(problem, make_own_oracle(name, path));
  return is_external(name) ? external_oracle(problem, name, path) : nullptr;
}

// "found X, expected ...", for an oracle with another limit or none at all.
[[noreturn]] void refuse_limit(const std::string& found, const std::string& oracle, bool has_limit,
                               std::string_view path) {
  throw Error(Code::kUnavailable,
              "found \"" + found + "\", expected " +
                  (has_limit ? "\"" + oracle + ":N\" with a limit N of at least 1"
                             : "\"" + oracle + "\", which has no work limit"),
              std::string(path));
}

}  // namespace

OracleName split_oracle_name(const std::string& name) {
  const auto colon = name.find(':');
  if (colon == std::string::npos) return {name, std::nullopt};
  const std::string text = name.substr(colon + 1);
  const bool number = !text.empty() && text.size() < 16 && text.find_first_not_of("0123456789") == std::string::npos;
  return {name.substr(0, colon), number ? std::stoull(text) : 0};
}

std::shared_ptr<const GameOracle> choose_oracle(const std::shared_ptr<const Game>& problem, const std::string& name,
                                                std::string_view path) {
  if (auto program = chosen_program(problem, name, path)) return program;
  return with_limit(choose_named(problem->oracles(), split_oracle_name(name).name, path), name, path);
}

std::shared_ptr<const GameOracle> with_limit(std::shared_ptr<const GameOracle> oracle, const std::string& name,
                                             std::string_view path) {
  const auto limit = split_oracle_name(name).limit;
  if (!limit) return oracle;
  auto limited = *limit > 0 ? oracle->limited(*limit) : nullptr;
  if (!limited) refuse_limit(name, oracle->name(), oracle->limited(1) != nullptr, path);
  return limited;
}

}  // namespace hannan::detail
