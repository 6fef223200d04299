// What learners of every kind of turn share: facts, certificates, reports and states. Their rounds are played through
// the classes of runtime/turn.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "hannan/certify/certificate.hpp"
#include "hannan/certify/noise_size.hpp"
#include "hannan/core/archive.hpp"
#include "hannan/core/noise.hpp"
#include "hannan/game/game.hpp"
#include "hannan/io/json.hpp"
#include "hannan/io/text_archive.hpp"
#include "hannan/runtime/round.hpp"

namespace hannan::detail {

class AnyLearner {
 public:
  virtual ~AnyLearner() = default;
  AnyLearner(const AnyLearner&) = delete;
  AnyLearner& operator=(const AnyLearner&) = delete;

  const Game& game() const { return *game_; }  // what it plays
  const std::string& kind() const { return kind_; }
  const Json& params() const { return params_; }  // every default filled in
  const RoundSetting& setting() const { return setting_; }
  virtual std::uint64_t rounds() const = 0;      // played so far
  const Round& round() const { return round_; }  // the last that was decided or played
  // Reads an outcome, which is valid until the next one is read.
  const AnyOutcome& read(const Json& outcome, std::string_view path);

  // A rehearsal: the first rounds may be learned from without being played. The learner decides and is told as always;
  // its ledger and its certificate are of all rounds, and report() says what part of them was played.
  struct Rehearsed {
    std::uint64_t rounds = 0;
    double total = 0;  // the losses of these rounds
  };
  const Rehearsed& rehearsed() const { return rehearsed_; }
  // Before a round is rehearsed: throws kOutOfRange where a round was played already, kUnavailable where it never may.
  virtual void check_rehearsal(std::string_view path) const;
  // Counts the round that was just observed as rehearsed.
  virtual void count_as_rehearsed();

  virtual RunFacts facts() = 0;                      // for the certificate; looks for L* if need be
  virtual bool has_looked() const { return false; }  // L* of the rounds so far is known: facts() asks for nothing
  RunFacts facts_aside();                            // facts() without a trace in the rounds to come
  virtual bool can_fail() const { return false; }    // its oracle is the user's own
  // M with its interval, once it was computed, and the way to hand it to another learner of the same kind and problem:
  // it may cost thousands of searches.
  virtual std::optional<NoiseSize> known_noise_size() const { return std::nullopt; }
  virtual void take_noise_size(const NoiseSize&) {}
  // For the certificate `exact`: what the noise in use at the end is worth in the mean. Costs oracle calls.
  virtual std::optional<double> credit() { return std::nullopt; }
  virtual std::optional<StatedBound> bound();  // what may be called the bound now, if there is one
  // The certificates of the run so far, where they apply; looks for L* if need be.
  struct RunView {
    std::optional<double> run;
    std::optional<double> limit;
  };
  RunView run_view();
  virtual Json report();
  Json save();
  // The text of save(), dump() of it, piece by piece: a learner of many parts is never held as one value or one text.
  void save_to(const TextSink& sink);
  // Takes over the state that save() wrote, whose field "state" this is.
  void restore(const Json& state, std::string_view path);
  void restore_text(std::string_view state, std::string_view path);  // the same from its text
  // The same as a part of a larger state.
  void archive_in(Archive& a) { archive(a); }

 protected:
  // `params_` is for the class of the kind to set.
  AnyLearner(std::shared_ptr<const Game> game, std::string_view kind, const RoundSetting& setting)
      : setting_(setting), game_(std::move(game)), kind_(kind) {
    setting_.game = game_.get();
    round_.of = &setting_;
  }

  // What a report says besides facts().
  struct ReportFacts {
    Json best_action;
    std::uint64_t certificate_calls = 0;  // made for the certificate alone
    std::string_view claims;              // of an oracle of the user's own
    bool perturbs = false;                // there is a matrix
    Freshness draw = Freshness::kFresh;
  };
  virtual ReportFacts report_facts() { return {}; }  // for report() as it is here
  virtual void archive(Archive& a) = 0;
  Json snapshot();  // what archive() writes, and the rehearsal
  void add_rehearsed(Json& report) const;
  const std::shared_ptr<const Game>& shared_game() const { return game_; }

  Json params_;
  RoundSetting setting_;
  Round round_;

 private:
  void archive_all(Archive& a);  // a state is that
  void archive_rehearsal(Archive& a);
  Json state_head() const;  // the fields of a saved state before "state"

  std::shared_ptr<const Game> game_;
  std::string kind_;
  Rehearsed rehearsed_;
  AnyOutcome outcome_;  // the buffer of read()
};

}  // namespace hannan::detail
