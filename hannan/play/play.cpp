// The loop of a run: act, outcome, observe, listeners. A round that the source or the learner refuses throws before
// anything of it is told to a listener. Progress rows come after rounds 1, 2, 4, ... and at the end: O(log T) of them.
#include "hannan/play/play.hpp"

#include <bit>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"

namespace hannan::detail {
namespace {

// What a row says of the decision, which is gone once the next one is made.
struct Decided {
  std::uint64_t number = 0;
  std::optional<double> rate;
  std::string_view regime;
};

// A bound is computed here and not every round: a certificate costs more than a round of a small problem.
ProgressRow progress_row(AnyLearner& learner, const Decided& decided) {
  const Figures& seen = learner.round();
  const auto bound = seen.best ? learner.bound() : std::nullopt;
  const auto delta = learner.params().find_number("delta");
  return {.round = decided.number,
          .loss = seen.total,
          .best = seen.best,
          .regret = seen.regret,
          .bound = bound,
          .certainty = 1 - delta.value_or(0.05),
          .rate = decided.rate,
          .regime = std::string(decided.regime),
          .oracle_calls = seen.oracle_calls};
}

// Where a part was seen: what the round knows, and the limit, which may cost a search.
ProgressRow progress_row(PartLearner& learner, const Decided& decided) {
  ProgressRow row = progress_row(static_cast<AnyLearner&>(learner), decided);
  row.in_part = &learner.round();
  row.limit = learner.said_of_regret().limit;
  return row;
}

// `next` plays one round and says what became of it; null where the source has ended, which may be after the decision
// of a round that does not come. `shown` is false where the last round had no row of progress.
template <class Learner, class Next>
std::uint64_t play_rounds(Learner& learner, const Listeners& listeners, std::uint64_t most, const Next& next) {
  std::uint64_t played = 0;
  Decided last;
  bool shown = true;
  while (played < most && !(listeners.stop && listeners.stop())) {
    const Round* round = next();
    if (!round) break;
    last = {round->number, round->rate(), round->regime};
    if (listeners.observed) listeners.observed(*round);
    played += round->looked ? round->looked->rounds : 1;
    shown = !listeners.progress || std::has_single_bit(round->number);
    if (listeners.round) listeners.round(*round);
    if (listeners.progress && shown) listeners.progress(progress_row(learner, last));
    if (listeners.settled) listeners.settled();
  }
  if (!shown) listeners.progress(progress_row(learner, last));
  return played;
}

}  // namespace

// The decision is made before the outcome is read.
std::uint64_t play(PlainLearner& learner, Source& source, const Listeners& listeners, std::uint64_t most) {
  AnyOutcome outcome;
  return play_rounds(learner, listeners, most, [&]() -> const Round* {
    const Round& acted = learner.act();
    if (listeners.acted) listeners.acted(acted);
    if (!source.next(outcome)) return nullptr;
    const Round& round = learner.observe(outcome);
    if (source.answers_actions()) source.saw(round.action_json());
    return &round;
  });
}

// A row shows which experts are awake before it shows their losses, which the decision does not see.
std::uint64_t play(SleepingLearner& learner, Source& source, const Listeners& listeners, std::uint64_t most) {
  AnyOutcome outcome;
  return play_rounds(learner, listeners, most, [&]() -> const Round* {
    if (!source.next(outcome)) return nullptr;
    learner.wake(outcome);
    const Round& acted = learner.act();
    if (listeners.acted) listeners.acted(acted);
    const Round& round = learner.observe(outcome);
    if (source.answers_actions()) source.saw(round.action_json());
    return &round;
  });
}

// The context comes with the outcome, which the decision does not see.
std::uint64_t play(ContextLearner& learner, Source& source, const Listeners& listeners, std::uint64_t most) {
  AnyOutcome outcome;
  std::vector<std::string> context;
  Listeners told = listeners;
  // The rate of a round is that of one of its segments: it is for those who listen to rounds.
  if (listeners.progress && !listeners.round) {
    told.progress = [&](ProgressRow row) {
      row.rate.reset();
      row.regime.clear();
      listeners.progress(row);
    };
  }
  return play_rounds(learner, told, most, [&]() -> const Round* {
    if (!source.next(outcome)) return nullptr;
    context.assign(source.context().begin(), source.context().end());
    if (context.size() != learner.by().size())
      throw Error(Code::kMissingField, "found outcomes without the columns of the learner, expected them", "context");
    return &learner.observe(context, outcome);
  });
}

// The decision sees the context and the proposals of its round, which come with the outcome, and nothing else of it.
std::uint64_t play(PortfolioLearner& learner, Source& source, const Listeners& listeners, std::uint64_t most) {
  AnyOutcome outcome;
  return play_rounds(learner, listeners, most, [&]() -> const Round* {
    if (!source.next(outcome)) return nullptr;
    const PortfolioLearner::Seen seen = learner.seen(source.context(), source.proposals());
    if (learner.rehearses()) return &learner.rehearse(seen, outcome, source.today_loss());
    const Round& acted = learner.act(seen);
    if (listeners.acted) listeners.acted(acted);
    const Round& round = learner.observe(outcome, source.today_loss());
    if (source.answers_actions()) source.saw(round.action_json());
    return &round;
  });
}

namespace {

// A log says its shares and coins itself; the learner is told line after line.
const Round& told_round(PartLearner& learner, const Source& source) {
  try {
    Fields in(source.told(), "");
    return learner.observe(learner.read_seen(in));
  } catch (const Error& e) {
    throw Error(e.code(), e.message(), source.place() + (e.at().empty() ? "" : ": " + e.at()));
  }
}

}  // namespace

std::uint64_t play(PartLearner& learner, Source& source, const Listeners& listeners, std::uint64_t most) {
  if (learner.decisions() || learner.coins_from_elsewhere() != source.tells()) {
    throw Error(Code::kUnavailable,
                source.tells() ? "found a log that says its shares and coins, expected share \"logged\" with it"
                               : "found coins of a log or of a client, expected those of the learner: these outcomes "
                                 "come without them; `hannan pipe` and the service take them",
                "params.share");
  }
  AnyOutcome outcome;
  if (source.tells()) {
    return play_rounds(learner, listeners, most, [&]() -> const Round* {
      const Round& acted = learner.act();
      if (listeners.acted) listeners.acted(acted);
      return source.next(outcome) ? &told_round(learner, source) : nullptr;
    });
  }
  return play_rounds(learner, listeners, most, [&]() -> const Round* {
    const Round& acted = learner.act();
    if (listeners.acted) listeners.acted(acted);
    if (!source.next(outcome)) return nullptr;
    const Round& round = learner.observe(learner.shown(outcome));
    if (listeners.hidden) listeners.hidden(round, outcome);
    if (source.answers_actions()) source.saw(round.action_json());
    return &round;
  });
}

std::uint64_t play(DelayedLearner& learner, Source& source, const Listeners& listeners, std::uint64_t most) {
  AnyOutcome outcome;
  return play_rounds(learner, listeners, most, [&]() -> const Round* {
    if (!source.next(outcome)) return nullptr;
    const std::uint64_t number = learner.rounds() + 1;
    const Round& acted = learner.act(number);
    if (listeners.acted) listeners.acted(acted);
    return &learner.observe(number, outcome);
  });
}

}  // namespace hannan::detail
