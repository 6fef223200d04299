// `hannan bound`: one bound by name with its parameters, as the pipe's op "bound" has it.
#include <cstdio>
#include <memory>

#include "command.hpp"
#include "hannan/certify/named_bounds.hpp"
#include "hannan/runtime/bound_request.hpp"

namespace hannan::detail::cli {
namespace {

struct BoundFlags {
  std::string name;
  std::vector<std::string> params;
};

int show_bound(const BoundFlags& flags) {
  const Json request = Json::object({{"name", flags.name}, {"params", object_of_pairs(flags.params, "params")}});
  Fields in(request, "");
  std::puts(dump(bound_value(in)).c_str());
  return 0;
}

}  // namespace

void define_bound(Command& command) {
  auto flags = std::make_shared<BoundFlags>();
  std::vector<NamedValue> names;
  for (const auto& bound : named_bounds()) names.push_back({std::string(bound.name), params_text(bound)});
  command.add("name", &flags->name, "which bound; --help-all: with the parameters of each, [] marks a list")
      .such_as(names)
      .required();
  command.add("params", &flags->params, "name=value").required();
  command.examples = {"hannan bound ada M=3 gamma=6 best=100",
                      "hannan bound trajectory2 M=3 gamma=6 c=1 best=[0.5,1,2]"};
  command.see = "Each formula with its proof: docs/theory.md, docs/theory-run.md.";
  command.run = [flags] { return show_bound(*flags); };
}

}  // namespace hannan::detail::cli
