#include "service/part_message.hpp"

#include <string_view>

#include "hannan/core/error.hpp"

namespace hannan::detail::service {
namespace {

// In the order in which rows have them.
constexpr const char* kFields[] = {"outcome", "look", "lost", "raw", "share", "rounds", "looks", "void"};

bool is_coin(std::string_view name) { return name == "look" || name == "share"; }

}  // namespace

Json read_part_message(Fields& in, const MessageRequest& of) {
  Json message = Json::object();
  for (const char* name : kFields) {
    if (is_coin(name) && !of.config.coins_told) continue;  // a field that is not read is refused
    const Json* given = in.maybe(name);
    if (!given) continue;
    if (name != kFields[0] || given->is_null() || of.config.feedback == "elements" ||
        (given->is_object() && given->find("seen"))) {
      message.set(name, *given);
      continue;
    }
    AnyOutcome outcome;
    of.game.read_outcome(*given, in.at(name), outcome);
    message.set(name, of.game.outcome_json(outcome));
  }
  return message;
}

// "look" and "share" of a round are the learner's own, unless it took them from a log.
Json message_of(const Json& line) {
  Json message = Json::object();
  for (const char* name : kFields) {
    if (const Json* found = line.find(name)) message.set(name, *found);
  }
  return message;
}

}  // namespace hannan::detail::service
