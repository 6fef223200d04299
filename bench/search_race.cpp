// Branch and bound over Cbc. Cbc is no part of the program: rivals/cbc_race, built where Cbc is found, measures
// both and answers with rows.
#include "bench/rival.hpp"
#include "bench/row.hpp"

namespace hannan::detail::bench {

std::vector<Row> search_race(const Setting& setting) {
  setting.say("search: branch and bound over Cbc");
  const Json answer = ask_rival(
      setting, {.program = "cbc_race", .question = Json::object({{"quick", setting.pick(0, 1)}}), .seconds = 400});
  std::vector<Row> rows;
  for (const char* name : {"reserves", "reserves-small", "pricing"}) {
    Row row{.name = std::string("search/") + name,
            .unit = "calls/s",
            .ours = {},
            .rival = {},
            .goal = Goal{.ratio = 100},
            .note = {}};
    if (const Json* error = answer.find("error")) {
      row.note = error->as_string();
    } else {
      const Json& found = answer.at(name);
      row.ours = found.at("ours").as_number();
      row.rival = found.at("rival").as_number();
      row.note = found.at("note").as_string();
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace hannan::detail::bench
