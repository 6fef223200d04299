#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>

#include "command.hpp"
#include "hannan/certify/named_bounds.hpp"
#include "hannan/core/error.hpp"
#include "hannan/runtime/pipe.hpp"

namespace hannan::cli {
namespace {

struct BoundFlags {
  std::string name;
  std::vector<std::string> params;
};

int show_bound(const BoundFlags& flags) {
  Pipe pipe;
  const Json answer = pipe.answer(
      Json::object({{"op", "bound"}, {"name", flags.name}, {"params", object_of_pairs(flags.params, "params")}}));
  if (!answer.at("ok").as_bool()) {
    const Json& error = answer.at("error");
    throw Error(Code::kUsage, error.at("message").as_string(), error.at("at").as_string());
  }
  std::puts(dump(answer.at("value")).c_str());
  return 0;
}

}  // namespace

void add_bound(CLI::App& app, const Run& run) {
  auto* command = app.add_subcommand("bound", "evaluate a regret bound");
  auto flags = std::make_shared<BoundFlags>();
  std::string names;
  for (const auto& bound : bounds::named_bounds()) {
    names += "\n      " + std::string(bound.name) + ":";
    for (const auto& param : bound.params) names += " " + std::string(param);
  }
  command->add_option("name", flags->name, "which bound, and the parameters it takes:" + names)->required();
  command->add_option("params", flags->params, "name=value")->required();
  command->footer("Example:\n  hannan bound ada M=3 gamma=6 best=100\nEach formula with its proof: docs/theory.md.");
  command->callback([run, flags] { run([flags] { return show_bound(*flags); }); });
}

}  // namespace hannan::cli
