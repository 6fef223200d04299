// Invariant: waiting_ has the decisions counted_ + 1 ... current() in order; all but the last are closed or dropped.
#include "hannan/runtime/client_decisions.hpp"

#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {
namespace {

[[noreturn]] void refuse(const std::string& what, const char* at) { throw Error(Code::kOutOfRange, what, at); }

// Before anything changes. More looks than a closed decision named, more looks than rounds, fewer than came.
void check_counts(const ClientDecisions::Decision& of, const ClientMessage& message) {
  const auto came = static_cast<std::uint64_t>(of.looks.size());
  if (message.kind != ClientMessage::Kind::kClose) {
    if (of.closed && came >= of.expected)
      refuse("found one look more than the " + std::to_string(of.expected) + " that the decision was closed with",
             "look");
    return;
  }
  if (message.rounds > ClientDecisions::kMostRounds)
    refuse("found " + std::to_string(message.rounds) + ", expected 0 to 1000000000 rounds", "rounds");
  if (message.looks > message.rounds)
    refuse("found " + std::to_string(message.looks) + " looks in " + std::to_string(message.rounds) +
               " rounds, expected no more looks than rounds",
           "looks");
  if (message.looks < came)
    refuse("found " + std::to_string(message.looks) + " looks, expected at least the " + std::to_string(came) +
               " that came",
           "looks");
}

}  // namespace

void ClientDecisions::issue(AnyAction choice, double share) {
  waiting_.push_back({.choice = std::move(choice), .share = share, .looks = {}});
}

ClientDecisions::Standing ClientDecisions::standing(std::uint64_t number) const {
  if (number == 0 || number > current()) return Standing::kNeverMade;
  if (number <= counted_) return Standing::kCounts;
  const Decision& found = waiting_[static_cast<std::size_t>(number - counted_ - 1)];
  return found.closed || found.dropped ? Standing::kClosed : Standing::kOpen;
}

void ClientDecisions::check(const ClientMessage& message) const {
  using Kind = ClientMessage::Kind;
  const Standing standing = this->standing(message.decision);
  const bool ends = message.kind == Kind::kClose || message.kind == Kind::kDrop;
  if (standing == Standing::kNeverMade)
    refuse("found a decision that was never made, expected an open one", "decision");
  if (standing == Standing::kCounts) refuse("found a decision that counts already, expected an open one", "decision");
  const Decision& of = waiting_[static_cast<std::size_t>(message.decision - counted_ - 1)];
  if (of.dropped || (of.closed && message.kind == Kind::kClose))
    refuse("found a decision that is closed, expected an open one", "decision");
  if (message.kind != Kind::kDrop) check_counts(of, message);
  if (ends && waiting_.size() >= kMostWaiting)
    refuse("found " + std::to_string(waiting_.size()) + " decisions that wait, expected fewer: close the first of them",
           "decision");
}

void ClientDecisions::take(const ClientMessage& message) {
  using Kind = ClientMessage::Kind;
  check(message);
  Decision& of = waiting_[static_cast<std::size_t>(message.decision - counted_ - 1)];
  ++messages_;
  if (message.kind == Kind::kDrop) {
    of.dropped = true;
    of.looks.clear();
  } else if (message.kind == Kind::kClose) {
    of.closed = true;
    of.rounds = message.rounds;
    of.expected = message.looks;
  } else {
    of.looks.push_back(message.outcome ? std::optional(*message.outcome) : std::nullopt);
  }
}

const ClientDecisions::Decision* ClientDecisions::complete() const {
  if (waiting_.empty()) return nullptr;
  const Decision& first = waiting_.front();
  const bool counts = first.dropped || (first.closed && first.looks.size() == first.expected);
  return counts ? &first : nullptr;
}

void ClientDecisions::count() {
  if (waiting_.front().dropped) ++dropped_;
  waiting_.pop_front();
  ++counted_;
}

std::uint64_t ClientDecisions::waiting() const {
  std::uint64_t closed = 0;
  for (const Decision& one : waiting_) closed += one.closed || one.dropped ? 1 : 0;
  return closed;
}

void ClientDecisions::archive(Archive& a, const Game& game) {
  a.count("counted", counted_);
  a.count("dropped", dropped_);
  a.count("messages", messages_);
  const std::uint64_t size = a.open_list("decisions", waiting_.size());
  if (a.reading() && size > kMostWaiting) a.refuse("", "found more decisions than may wait");
  if (a.reading()) waiting_.assign(static_cast<std::size_t>(size), {});
  for (Decision& one : waiting_) {
    a.item();
    game.archive_action(a, one.choice);
    a.field("share", one.share, {1e-6, 1});
    a.count("closed", one.closed, 1);
    a.count("dropped", one.dropped, 1);
    a.count("rounds", one.rounds, kMostRounds);
    a.count("expected", one.expected, kMostRounds);
    const std::uint64_t looks = a.open_list("looks", one.looks.size());
    if (a.reading()) one.looks.assign(static_cast<std::size_t>(looks), std::nullopt);
    for (auto& look : one.looks) {
      a.item();
      std::string text = look ? dump(game.outcome_json(*look)) : "null";
      a.field("outcome", text);
      if (!a.reading()) continue;
      try {
        const Json json = parse_json(text);
        if (json.is_null()) continue;
        look.emplace();
        game.read_outcome(json, "outcome", *look);
      } catch (const Error& e) {
        a.refuse("outcome", e.message());
      }
    }
    a.close_list();
  }
  a.close_list();
}

}  // namespace hannan::detail
