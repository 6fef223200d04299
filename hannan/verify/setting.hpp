// What the header of a record says, as the verifier understands it: the game, the learner, and every
// parameter that settles what the lines after it must be.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hannan/game/game.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/verify/learner_rules.hpp"
#include "hannan/verify/noise_draws.hpp"

namespace hannan::detail {

// A law of noise by what the proofs ask of it.
struct RecordedNoise {
  double p = 0;  // norm in which its log-density is 1-Lipschitz; 0: none
  bool centred = false;
  bool symmetric = false;
};

// Columns of a context, and when segments open.
struct RecordedContexts {
  std::vector<std::size_t> depths;  // columns of each order
  std::uint64_t open = 1;
  std::uint64_t most = 1;
  // Given noise by the name of the segment; used where RecordedSetting::alpha is there, which is empty then.
  struct Given {
    std::vector<std::vector<double>> draws;
    bool once = false;
  };
  std::map<std::string, Given> alpha;
};

struct RecordedSetting {
  std::shared_ptr<const Game> problem;
  Json learner_params;
  const LearnerRule* rule = nullptr;  // of the learner
  double ln_size = 0;
  double normaliser = 1;
  bool any_range = false;  // losses are any numbers, not in [0,1]

  std::string oracle;     // to search with; empty: the problem's own default
  bool exact = false;     // it has no work limit, so every answer is proven: no gap, no search nodes
  bool defaults = false;  // it is the problem's own default
  bool external = false;  // the run's oracle was the user's own: a record is never a reason to start a program
  std::string track;      // "every", "powers", "end"
  bool pooled = false;
  DrawKey key;
  bool once = false;                                      // one draw for all rounds
  std::optional<std::vector<std::vector<double>>> alpha;  // given noise, one draw or one a round
  std::optional<RecordedContexts> contexts;               // none: one decision for all

  std::string perturbation;                  // empty: the learner takes none
  std::shared_ptr<const GameMatrix> matrix;  // of that name
  std::string noise_name;
  RecordedNoise noise;
  std::optional<DrawnLaw> law;  // of the noise, where the learner has some; not used where it is given
  double columns = 0;
  bool unit_entries = false;
  std::optional<double> claimed_gamma;
  std::optional<double> gamma;
  std::optional<double> noise_size;
  double c = 1;
  bool certifies = false;  // its rounds add up to certificates of the run
  // The program that wrote the header is of version 0.3: it compared the regret with statements about the mean too.
  bool compares_means = false;
  std::string pivot = "leader";
  double delta = 0.05;
  std::optional<double> rho2;  // given
  std::uint64_t credit_draws = 64;
  std::string certificate = "free";  // gftpl: "run" where each round records its gap
  bool mix_gap = false;              // S and D_flop grow by the mix gap, not by the difference of two losses
  double discount = 1;               // ada: a round of age i counts discount^i
  bool delayed = false;              // ada: outcomes come late, in any order
  std::uint64_t from = 0;            // rows before this part of the record
  std::string data;  // for people: the file that the outcomes were read from; empty: the header names none

  std::string estimator, feed;
  double switch_a = 1, switch_b = 1;
  std::uint64_t mc_draws = 0;
  std::vector<std::vector<std::vector<double>>> mc;  // given Monte-Carlo noise

  double phi = 0, flip_a = 0;
  std::string rate;
  double eta = 0;
  // gamma is not below the one that is proven for the perturbation: closed forms may rest on it.
  bool gamma_serves() const { return !gamma || !claimed_gamma || *gamma >= *claimed_gamma * (1 - 1e-9); }
};

// Throws Error for a header that is none, or whose parameters contradict each other; kUnavailable at "learner.kind"
// for a learner that is not in the table of rules, and at "program" for a record of version 0.2, which had no
// certificates of the run.
RecordedSetting read_header(const Json& header);

// Parameters of single learners, for the table of rules.
void read_flip_constants(Fields& in, RecordedSetting& s);  // flipflop-hedge
void read_gftpl(Fields& in, RecordedSetting& s);
void read_off(Fields& in, RecordedSetting& s);
void read_hedge_rate(Fields& in, RecordedSetting& s);
void read_ada(Fields& in, RecordedSetting& s);
void read_flipflop(Fields& in, RecordedSetting& s);
void read_fpl(Fields& in, RecordedSetting& s);
void read_uniform(Fields& in, RecordedSetting& s);
void read_fake_data(Fields& in, RecordedSetting& s);

}  // namespace hannan::detail
