// What was earned more, or saved, over time and in all: better is up and right, and always of the same colour.
#pragma once

#include "hannan/report/compared.hpp"

namespace hannan::detail {

// {"block":"gains","title","about","alt","unit","round","zero","at","rounds","time","scale","series":[{"name","ink",
// "values","end"}],"band":{"at","low","high"},"off":[{"name","ink","text"}]}. `rounds` are the numbers of the rounds
// at `at` where these are times. The scale is that of the learner, its range and the best fixed choice; a rival more
// than three times as far is cut and listed in `off`.
Json gain_chart(const ComparedPage& page);          // of the learner, with its range
Json alternatives_chart(const ComparedPage& page);  // of at most six players

// {"block":"ranking","title","about","note","unit","zero","header","scale","rows":[{"name","about","mine","after",
// "kind","gain","low","high","cells"}]}: a row per player, best first, what is known only afterwards last.
Json ranking_block(const ComparedPage& page);

// Where the difference comes from: the stretches of the log, and how much there was to win.
Json sources_block(const ComparedPage& page);

}  // namespace hannan::detail
