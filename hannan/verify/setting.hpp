// What the header of a record says, as the verifier understands it: the game, the learner, and what is settled for the
// lines after it. Parameters that one learner alone has are in its rule (rules/).
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

// The noise of the learner: its columns, its law, and what is proven of both.
struct RecordedNoise {
  bool once = false;                                      // one draw for all rounds
  std::optional<std::vector<std::vector<double>>> alpha;  // given, one draw or one a round
  std::string perturbation;                               // empty: the learner takes none
  std::shared_ptr<const GameMatrix> matrix;               // of that name
  double columns = 0;
  bool unit_entries = false;
  std::optional<double> claimed_gamma;
  std::string name;
  std::optional<DrawnLaw> law;  // where the learner has noise; not used where it is given
  double p = 0;                 // norm in which the log-density of the law is 1-Lipschitz; 0: none
  bool centred = false, symmetric = false;
  std::optional<double> gamma, size;  // as the header has them; size: M

  // gamma is not below the one that is proven for the perturbation: closed forms may rest on it.
  bool gamma_serves() const { return !gamma || !claimed_gamma || *gamma >= *claimed_gamma * (1 - 1e-9); }
};

// What certificates of the run are made with.
struct RecordedCertificates {
  bool by_leader = true;  // the pivot: the leader before the round, otherwise the action of the last one
  double delta = 0.05;
  std::optional<double> rho2;  // given
  std::uint64_t credit_draws = 64;
};

// Columns of a context, and when segments open.
struct RecordedContexts {
  std::vector<std::size_t> depths;  // columns of each order
  std::uint64_t open = 1;
  std::uint64_t most = 1;
  // Given noise by the name of the segment; used where RecordedNoise::alpha is there, which is empty then.
  struct Given {
    std::vector<std::vector<double>> draws;
    bool once = false;
  };
  std::map<std::string, Given> alpha;
};

// The strategies of a portfolio, and what it promises.
struct RecordedPortfolio {
  struct Strategy {
    std::string name, kind;
    bool tied = false, shadow = false;
    Json params = Json::object();  // of a learner; of a fixed action its "action"
    Json problem;                  // that a tied learner plays: the losses of its actions
    bool learns = false;           // it is a learner
  };
  std::vector<Strategy> strategies;
  double risk = 0;
  std::optional<double> largest, hard;
  std::uint64_t warm = 0;  // rounds that are rehearsed for certain; more may be
  double delta = 0.05;
  std::optional<std::vector<double>> u;  // handed in
};

// Which rounds are seen, where not all are.
struct RecordedLooks {
  Json look;  // what is played in them; null: the choice
  enum class Share { kAdaptive, kFixed, kLogged } share = Share::kAdaptive;
  double chance = 1;  // of kFixed
  double cost = 1;    // of kAdaptive
  std::optional<std::vector<double>> coins;
  bool client = false;  // the client throws them, and decisions serve many rounds
  std::vector<Json> against;
};

// Losses of the elements of the own actions are seen, and estimated for the others.
struct RecordedElements {
  std::size_t count = 0;  // of all
  double cap = 16;        // most draws of a round, over the multiplier
};

struct RecordedSetting {
  std::shared_ptr<const Game> problem;
  Json learner_params;
  std::shared_ptr<const LearnerRule> rule;  // with the learner's own parameters
  double ln_size = 0;
  double normaliser = 1;
  bool any_range = false;  // losses are any numbers, not in [0,1]
  bool asleep = false;     // experts may be missing from a round

  std::string oracle;     // to search with; empty: the problem's own default
  bool exact = false;     // it has no work limit, so every answer is proven: no gap, no search nodes
  bool external = false;  // the run's oracle was the user's own: a record is never a reason to start a program
  std::string track;      // "every", "powers", "end"
  bool pooled = false;
  DrawKey key;
  std::optional<RecordedContexts> contexts;  // none: one decision for all
  RecordedNoise noise;
  RecordedCertificates certificates;  // of learners that have some
  double discount = 1;                // a round of age i counts discount^i
  bool delayed = false;               // outcomes come late, in any order
  bool compares_means = false;        // of version 0.3, which compared the regret with statements about the mean too
  std::optional<RecordedPortfolio> portfolio;
  std::optional<RecordedLooks> looks;
  std::optional<RecordedElements> elements;
  std::string program;     // that wrote the record
  std::uint64_t from = 0;  // rows before this part of the record
  std::string data;        // for people: the file that the outcomes were read from; empty: the header names none

  const RuleFacts& facts() const { return rule->facts(); }
};

// Throws Error for a header that is none, or whose parameters contradict each other; kUnavailable at "learner.kind"
// for a learner that is not in the table of rules, and at "program" for a record of version 0.2, which had no
// certificates of the run.
RecordedSetting read_header(const Json& header);

// Parameters of several learners, for their rules.
void read_certificates(Fields& in, RecordedSetting& s);
// gamma and M, every default being filled in; throw kMissingField where there is none.
void demand_gamma(const Fields& in, const RecordedSetting& s);
void demand_size(const Fields& in, const RecordedSetting& s);
// Tuned to the number of rounds, or by hand; given noise needs neither.
std::optional<double> read_tuning(Fields& in, const RecordedSetting& s, const char* tuning);

}  // namespace hannan::detail
