// Words of a page by problem: what a round is, what is chosen, how a player is called by people who sell or buy.
#include "hannan/report/page_words.hpp"

#include <fmt/format.h>

#include <utility>

#include "hannan/report/action_panels.hpp"
#include "hannan/report/page_text.hpp"

namespace hannan::detail {

std::string PageWords::rounds(std::uint64_t count) const {
  return page_count(count) + " " + round + (count == 1 ? "" : "s");
}

PageWords page_words(const std::string& problem, const Json& params) {
  PageWords words;
  const auto name = [](std::string& word, std::string_view said) {
    if (!said.empty()) word = said;
  };
  const ActionLabels labels = labels_of(problem);
  name(words.title, labels.page);
  name(words.thing, labels.thing);
  name(words.round, labels.round);
  words.mistakes = labels.counts_mistakes;
  if (const auto money = money_of(problem, params)) {
    name(words.title, money->amounts.page);
    name(words.thing, money->amounts.thing);
  }
  words.many = words.thing != "choice" && !words.mistakes;
  words.learned_here = "learned " + words.thing;
  words.learned = words.many ? words.learned_here : "the " + words.learned_here;
  return words;
}

Counts counts_of(const CountedIn& in) {
  if (in.words.mistakes) return Counts::kMistakes;
  if (in.reward) return Counts::kEarned;
  return in.currency.empty() && in.words.thing == "choice" ? Counts::kLosses : Counts::kPaid;
}

std::string had_words(Counts counts) {
  static constexpr const char* kWords[] = {"earned", "cost", "lost", "made"};
  return kWords[static_cast<std::size_t>(counts)];
}

const char* does_words(Counts counts) {
  static constexpr const char* kWords[] = {"gain", "cost", "lose", "make"};
  return kWords[static_cast<std::size_t>(counts)];
}

const char* side_words(Counts counts, double gain) {
  if (counts == Counts::kEarned) return gain >= 0 ? "more" : "less";
  return gain < 0 ? "more" : counts == Counts::kMistakes ? "fewer" : "less";
}

std::string unit_sentence(const CountedIn& in) {
  const Counts counts = counts_of(in);
  if (counts == Counts::kMistakes || !in.currency.empty()) return {};
  return counts == Counts::kLosses ? "Losses are added up as they stand in the data."
                                   : "Amounts are in the unit of the data: no currency was given.";
}

PlayerWords player_words(const NamedPlayer& player, const PageWords& words) {
  const std::string& name = player.name;
  const auto named = [](std::string inside, std::string about) {
    return PlayerWords{.name = capital(inside), .about = std::move(about), .inside = inside};
  };
  const auto quoted = [](const std::string& given, std::string about) {
    return PlayerWords{.name = given, .about = std::move(about), .inside = "“" + given + "”"};
  };
  const bool ceilings = words.thing == "ceilings";
  if (player.role == "learner") {
    if (player.ours && !words.beside.empty())
      return named(words.learned_here,
                   fmt::format("draws one of its ways for every {}; the average over the draws", words.round));
    if (player.ours) return named(words.learned_here, fmt::format("set anew after every {}", words.round));
    if (name == "hedge") return named("weighted mixture", "of all possible choices, for comparison");
    if (!words.beside.empty())
      return quoted(fmt::format("{} ({})", capital(words.beside), name),
                    fmt::format("set anew after every {}", words.round));
    return quoted(fmt::format("{} ({})", capital(words.learned_here), name), "learned in another way");
  }
  if (player.role == "hindsight") {
    const std::string after = "known only afterwards: a yardstick, not a choice";
    if (name == "best fixed") return named("best fixed " + words.thing, after);
    if (name == "uniform, best") return named(ceilings ? "best single ceiling" : "best single price", after);
    if (name == "best per segment") return named("best " + words.thing + " per segment", after);
    if (name == "best pruning") return named("best grouping of segments", after);
    return quoted(name, after);
  }
  if (name == "as logged") return named("as logged", "what you do today");
  if (name == "second price")
    return named("second price with the same bids", "every unit at the best losing bid; bids would change");
  if (name == "no reserve") return named("no reserve price", "every bid may win");
  if (name == "lowest reserve") return named("lowest reserve price", "the smallest one on the scale for all");
  if (name == "highest ceiling") return named("highest ceiling", "the highest one on the list for all");
  if (name == "no ceiling") return named("no ceiling", "every offer may win");
  if (name == "uniform, learned" && ceilings) {
    return {.name = "One ceiling for all, learned",
            .about = "the one ceiling that cost least so far",
            .inside = "one learned ceiling for all"};
  }
  if (name == "uniform, learned") {
    return {.name = "One price for all, learned",
            .about = "the one price that earned most so far",
            .inside = "one learned price for all"};
  }
  if (name == "monopoly price" && ceilings)
    return named("best past ceiling per supplier", "per supplier, what would have cost least so far");
  if (name == "monopoly price")
    return named("best past price per buyer", "per buyer, what would have earned most so far");
  if (name == "majority label") return named("majority label", "the answer that was right more often so far");
  if (name == "repeat last label") return named("last label again", "the answer that was right the last time");
  if (name == "logistic regression")
    return named("logistic regression", "a weight for every column, learned from round to round");
  if (name == "boosted stumps") return named("vote of simple rules", "each looks at one column; learned from the past");
  if (name == "one for all") return named("one decision for all", "no segments");
  if (name == "finest alone") return named("finest segments alone", "each learns from its own past only");
  if (name == "leader per segment")
    return named("best past choice per segment", "what would have done best so far there");
  if (name == "monopoly per segment")
    return named("best past price per segment and buyer", "what would have earned most so far there");
  return quoted(name, player.about == "the same action in every round"
                          ? fmt::format("the same in every {}", words.round)
                          : player.about);
}

}  // namespace hannan::detail
