#include "hannan/runtime/choose_oracle.hpp"

#include "hannan/core/error.hpp"
#include "hannan/external/external_oracle.hpp"
#include "hannan/external/external_program.hpp"
#include "hannan/external/own_oracles.hpp"

namespace hannan::detail {

std::shared_ptr<const AnyOracle<Game>> chosen_program(const std::shared_ptr<const Game>& problem,
                                                      const std::string& name, std::string_view path) {
  if (is_own_oracle(name)) return external_oracle(problem, make_own_oracle(name, path));
  return is_external(name) ? external_oracle(problem, name, path) : nullptr;
}

OracleName split_oracle_name(const std::string& name) {
  const auto colon = name.find(':');
  if (colon == std::string::npos) return {name, std::nullopt};
  const std::string text = name.substr(colon + 1);
  const bool number = !text.empty() && text.size() < 16 && text.find_first_not_of("0123456789") == std::string::npos;
  return {name.substr(0, colon), number ? std::stoull(text) : 0};
}

void refuse_limit(const std::string& found, const std::string& oracle, bool has_limit, std::string_view path) {
  throw Error(Code::kUnavailable,
              "found \"" + found + "\", expected " +
                  (has_limit ? "\"" + oracle + ":N\" with a limit N of at least 1"
                             : "\"" + oracle + "\", which has no work limit"),
              std::string(path));
}

std::shared_ptr<const AnyOracle<Game>> choose_oracle(const std::shared_ptr<const Game>& problem,
                                                     const std::string& name, std::string_view path) {
  if (auto program = chosen_program(problem, name, path)) return program;
  const auto own = split_oracle_name(name).name;
  return with_limit<Game>(choose_named(problem->oracles(), own, path), name, path);
}

}  // namespace hannan::detail
