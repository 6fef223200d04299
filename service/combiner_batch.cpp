// Outcomes of several learners that combine forecasts in one request: in the lanes of all, written together. A batch of
// these and of other learners is refused, since those are committed by the thread that writes.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "service/codes.hpp"
#include "service/combiner_json.hpp"
#include "service/route_values.hpp"

namespace hannan::detail::service {

// Each learner takes its lines in their order.
void Api::batch_of_combiners(Call& call) {
  std::map<std::string, std::vector<HostedCombiner::Line>> lines;
  std::string other;
  std::size_t count = 0;
  for_each_line(call.request.body, [&](const Json& told, std::size_t line) {
    const std::string path = path_of("outcomes", line);
    if (++count > setting_.outcomes.outcomes) refuse_many(setting_.outcomes, path);
    const std::string name = name_in(told, path_of(path, "in"));
    if (!host_.combines(name)) other = path;
    lines[name].push_back({without(told, "in"), path});
  });
  if (!other.empty())
    throw Error(Code::kUnavailable,
                "found outcomes of forecasts and of another learner in one batch, expected a batch for each: they are "
                "not committed together",
                path_of(other, "in"));
  std::set<std::string> names;
  for (const auto& [name, some] : lines) names.insert(name);
  const bool each = call.target.value("return") == "each";
  host_.with_combiners(
      names,
      [lines = std::move(lines), each](std::span<CombinerEntry* const> entries, RowReader& log) {
        HostedCombiner::Done all;
        std::size_t duplicates = 0;
        Json learners = Json::object();
        for (CombinerEntry* const entry : entries) {
          HostedCombiner& learner = *entry->own.learner;
          auto done =
              learner.tell(lines.at(entry->name()), [&](const std::string& id) { return log.find(learner.log(), id); });
          duplicates += lines.at(entry->name()).size() - done.rows.size();
          learners.set(entry->name(), each ? done.answer : without(done.answer, "each"));
          std::ranges::move(done.rows, std::back_inserter(all.rows));
        }
        all.accepted = all.rows.size();
        all.answer = Json::object(
            {{"accepted", all.rows.size()}, {"duplicates", duplicates}, {"learners", std::move(learners)}});
        return all;
      },
      [call = std::move(call)](const Json& answer, const std::exception_ptr& failure) {
        call.respond(failure ? error_reply(failure) : json_reply(answer));
      });
}

}  // namespace hannan::detail::service
