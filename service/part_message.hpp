// What a client says to a learner that sees a part (docs/partial.md), as a JSON object of the fields that it sent: of a
// round its outcome (null: none was seen), "lost" and "raw"; of a decision whose coins the client threw a look with its
// outcome or "lost", "rounds" with "looks", or "void". Rows of the log have the same fields, and the learner's own
// coin: a client that says "look" or "share" of that one is refused, as it may contradict it.
#pragma once

#include <string>

#include "hannan/game/game.hpp"
#include "hannan/io/fields.hpp"
#include "service/learner_config.hpp"

namespace hannan::detail::service {

// Reads these fields, and no others; an outcome that is one of the problem is written as the problem writes it. Throws
// what is wrong with it, wherever that does not depend on the learner's coins.
struct MessageRequest {
  const LearnerConfig& config;
  const Game& game;
};
Json read_part_message(Fields& in, const MessageRequest& of);
// The same fields of a row.
Json message_of(const Json& line);

}  // namespace hannan::detail::service
