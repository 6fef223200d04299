// Outcomes of several learners that combine forecasts in one request: in the lanes of all, written together.
#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "service/combiner_json.hpp"
#include "service/route_values.hpp"

namespace hannan::detail::service {

Api::CombinedLines Api::combined_lines(const std::string& text) {
  CombinedLines lines;
  for_each_line(text, [&](const Json& told, std::size_t line) {
    const std::string path = path_of("outcomes", line);
    lines[name_in(told, path_of(path, "in"))].push_back({without(told, "in"), path});
  });
  return lines;
}

// Each learner takes its lines in their order.
void Api::tell_combiners(CombinedLines lines, Shown shown, Host::Answer<Json> answer) {
  std::set<std::string> names;
  for (const auto& [name, some] : lines) names.insert(name);
  host_.with_combiners(
      names,
      [lines = std::move(lines), shown](std::span<CombinerEntry* const> entries, RowReader& log) {
        HostedCombiner::Done all;
        Json learners = Json::object();
        for (CombinerEntry* const entry : entries) {
          HostedCombiner& learner = *entry->own.learner;
          auto done =
              learner.tell(lines.at(entry->name()), [&](const std::string& id) { return log.find(learner.log(), id); });
          learners.set(entry->name(), shown == Shown::kEach ? done.answer : without(done.answer, "each"));
          std::ranges::move(done.rows, std::back_inserter(all.rows));
        }
        all.accepted = all.rows.size();
        all.answer = Json::object({{"learners", std::move(learners)}});
        return all;
      },
      std::move(answer));
}

}  // namespace hannan::detail::service
