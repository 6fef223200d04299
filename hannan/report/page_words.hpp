// The words of a page for people who sell or buy: "learned prices" for a learner, "best past price per buyer" for the
// monopoly price. The program's own names stand in the technical details.
#pragma once

#include <string>

#include "hannan/io/json.hpp"

namespace hannan::detail {

struct PageWords {
  std::string title = "Decisions";  // of the page: "Reserve prices"
  std::string thing = "choice";     // what is decided: "prices", "bids", "ceilings"
  std::string learned = "the learned choice";
  std::string learned_here = "learned choice";    // in a table
  std::string beside;                             // what learners beside a portfolio learn: "learned prices"
  bool mistakes = false;                          // losses are mistakes, to be counted
  bool many = false;                              // learned prices *have*, the learned choice *has*
  std::string round = "round";                    // "auction"
  std::string rounds(std::uint64_t count) const;  // "3,623 auctions", "1 auction"
};
// By the labels that a problem gives its actions, so that a new problem needs no line here.
PageWords page_words(const std::string& problem, const Json& params);

// What a page adds up: money that is earned, money that is paid, losses as they stand in the data, or mistakes.
enum class Counts { kEarned, kPaid, kLosses, kMistakes };
struct CountedIn {
  const PageWords& words;
  bool reward = false;
  std::string currency;
};
Counts counts_of(const CountedIn& in);
std::string had_words(Counts counts);                // before a sum: "earned", "cost", "lost", "made"
const char* does_words(Counts counts);               // before a range: "gain", "cost", "lose", "make"
const char* side_words(Counts counts, double gain);  // of a gain, more is better: "more", "less", "fewer"
// What amounts are in, where no currency says it: "Amounts are in the unit of the data ...". Empty: each says it.
std::string unit_sentence(const CountedIn& in);

struct PlayerWords {
  std::string name, about;
  std::string inside;  // its name inside a sentence: "the best fixed prices", or in quotes where the user gave it
};
struct NamedPlayer {
  std::string name, about, role;  // as in a result of `hannan compare`
  bool ours = false;              // the learner that the page is about
};
// Names that the user gave stay as they are.
PlayerWords player_words(const NamedPlayer& player, const PageWords& words);

}  // namespace hannan::detail
