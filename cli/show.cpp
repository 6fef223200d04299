// `hannan show`: what a problem is, its parameters, perturbations, oracles and number of actions.
#include <fmt/format.h>
#include <cmath>
#include <cstdio>
#include <memory>

#include "command.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/printable.hpp"
#include "hannan/io/amount_text.hpp"
#include "hannan/runtime/registry.hpp"
#include "output_file.hpp"

namespace hannan::detail::cli {
namespace {

struct ShowFlags {
  ProblemFlags problem;
  std::string out;
  bool json = false;
  bool quiet = false;
};

std::string words(const Json& list, const char* field) {
  std::string text;
  for (const Json& entry : list.as_array()) {
    const Json& name = *field ? entry.at(field) : entry;
    text += (text.empty() ? "" : ", ") + name.as_string();
  }
  return text;
}

// A parameter a line; the entries of a list by their numbers, as in error messages.
void print_params(const Json& params) {
  for (const auto& [name, value] : params.as_object()) {
    if (!value.is_array() || value.size() == 0) {
      fmt::print("  {} {}\n", printable(name), printable(dump(value)));
      continue;
    }
    for (std::size_t i = 0; i < value.size(); ++i)
      fmt::print("  {}[{}] {}\n", printable(name), i, printable(dump(value[i])));
  }
}

int show_problem(const ShowFlags& flags) {
  const bool quiet = takes_standard_output({{"--json", flags.json ? "-" : ""}, {"-o", flags.out}}) || flags.quiet;
  const auto problem = make_problem(flags.problem.kind, flags.problem.json(), "--param");
  const Json params = problem->params();
  if (!flags.out.empty()) write_whole_file(flags.out, dump(params) + "\n");
  const Json facts = problem->describe();
  if (flags.json) {
    std::puts(dump(Json::object({{"kind", problem->kind()}, {"params", params}, {"facts", facts}})).c_str());
  } else if (!quiet) {
    const double ln = facts.at("ln_actions").as_number();
    const Json& count = facts.at("actions");
    fmt::print("{}: {} actions, ln K = {}, raw per unit of loss {}\n", problem->kind(),
               count.is_null()           ? fmt::format("about 10^{:.1f}", ln / std::log(10.0))
               : count.as_number() < 1e7 ? fmt::format("{:.0f}", count.as_number())
                                         : brief(count.as_number()),
               brief(ln), brief(facts.at("normaliser").as_number()));
    if (problem->row_width() > 0)
      fmt::print("an outcome is {} number{} in a row of a table\n", problem->row_width(),
                 problem->row_width() == 1 ? "" : "s");
    fmt::print("oracles: {}; perturbations: {}\n", words(facts.at("oracles"), ""),
               words(facts.at("perturbations"), "name"));
    print_params(params);
  }
  return 0;
}

}  // namespace

void define_show(Command& command) {
  auto flags = std::make_shared<ShowFlags>();
  add_problem_flags(command, flags->problem);
  command.add("-o,--out", &flags->out, "write the parameters to this JSON file, for --params");
  command.add("--json", &flags->json, "print everything as JSON and nothing else");
  command.add("-q,--quiet", &flags->quiet, "print nothing");
  command.examples = {"hannan show routing --from town.graphml --param source=home --param target=port --param hops=6",
                      "hannan show vcg-reserves --param bidders=3 --param levels=8 -o auction.json"};
  command.run = [flags] { return show_problem(*flags); };
}

}  // namespace hannan::detail::cli
