// Any bytes as a file of outcomes, one a line, for problems whose outcomes are a list, an index and bids. What is
// delivered has a loss in [0,1] for every action; what is not says where it stands. One byte at a time gives the
// same outcomes, the same error and the same digest, and outcomes written back are read again as they were.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "drip.hpp"
#include "hannan/core/error.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/streams/source.hpp"

namespace hannan::detail {
namespace {

using fuzz::Drip;
using fuzz::require;

struct Content {
  std::vector<Json> outcomes;
  std::string digest;
  std::string fault;
  bool operator==(const Content&) const = default;
};

Content content_of(const AnyProblem& problem, std::unique_ptr<ByteSource> bytes) {
  Content result;
  try {
    const auto source = json_lines_source(std::move(bytes), "f", problem.game());
    source->keep_digest();
    for (AnyOutcome outcome; source->next(outcome);) {
      result.outcomes.push_back(problem.game().outcome_json(outcome));
      for (const double loss : problem.losses(result.outcomes.back(), "outcome")) require(loss >= 0 && loss <= 1);
      result.digest = source->digest_of(result.outcomes.size());
    }
  } catch (const Error& error) {
    require(error.at().starts_with("f") && error.code() != Code::kInternal && !error.message().empty());
    result.fault = error.what();
  }
  return result;
}

void check(const AnyProblem& problem, std::string_view bytes) {
  const Content content = content_of(problem, bytes_of_memory(bytes));
  require(content_of(problem, std::make_unique<Drip>(bytes)) == content);
  std::string again;
  for (const auto& outcome : content.outcomes) again += dump(outcome) + "\n";
  const Content second = content_of(problem, bytes_of_memory(again));
  require(second.fault.empty() && second.outcomes == content.outcomes);
}

}  // namespace
}  // namespace hannan::detail

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hannan;
  static const std::shared_ptr<AnyProblem> problems[] = {
      make_problem("experts", Json::object({{"experts", 3}}), "params"),
      make_problem("finite-game", Json::object({{"losses", parse_json("[[0,1,0.5],[1,0,0.5]]")}}), "params"),
      make_problem("vcg-reserves", Json::object({{"bidders", 2}, {"levels", 3}}), "params")};
  for (const auto& problem : problems) check(*problem, {reinterpret_cast<const char*>(data), size});
  return 0;
}
