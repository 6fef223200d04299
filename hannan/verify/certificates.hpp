// What several learners have of the certificates of the run (docs/theory-run.md): decided again from the header and the
// verifier's own sums (certificate_sums.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hannan/verify/bounds.hpp"
#include "hannan/verify/certificate_sums.hpp"
#include "hannan/verify/round_rule.hpp"

namespace hannan::detail {

// Are the gaps of rounds those of choices, or what stability bounds them by?
enum class Gaps { kMeasured, kBounded };

struct CertifiedFacts {
  const RecordedSetting& setting;
  const BoundFacts& facts;
  const CertificateSums& sums;
  Gaps gaps = Gaps::kMeasured;
};
// Fresh noise of mean zero; given noise may be that.
bool noise_is_fresh(const RecordedNoise& noise);
// run, exact and limit, as far as they apply; measured.
void add_run_forms(const CertifiedFacts& in, Bounds& out);
void add_measured(const CertifiedFacts& in, Bounds& out);
// The closed forms of ada and flipflop apply.
bool adapts_by_theorem(const RecordedSetting& setting, const BoundFacts& facts);

// The values of the certificates once more, beside the totals of the end.
void check_run_values(Fields& end, const RoundRule::BoundValues& values, const Claims& claims, double delta);

// The sentence that stands beside a bound which is no closed form.
std::string sentence_of(const ExpectedBound& bound, const RecordedSetting& setting);
// The one that programs of version 0.3 wrote.
std::string earlier_sentence(const ExpectedBound& bound, const RecordedSetting& setting);

// What the certificate must say it leaves out, since a given gamma or rho2 is below the proven one.
std::vector<std::string> expected_left_out(const RecordedSetting& setting);

// rho2 that the limit may use: as given, unless it is below the proven one and the noise was drawn by the law;
// otherwise as the law of the noise and the ranges of the columns give it; none where they do not.
std::optional<double> noise_square(const RecordedSetting& setting);

// A rule whose rounds add up to certificates of the run.
class CertifiedRule : public RoundRule {
 public:
  explicit CertifiedRule(const RuleInput& in) : RoundRule(in), account_(in.record) {}
  void finish() override { account_.finish(recomputed()); }
  LookSums look_sums() const override {
    const CertificateSums& all = sums();
    return {.gaps = all.quiet_gaps + all.noisy_gaps,
            .moves = all.moves,
            .more = all.more_moves,
            .stability = all.stability,
            .known = all.gaps_known};
  }
  void end(Fields& end, const BoundValues& values) const override {
    check_run_values(end, values, claims(), setting().certificates.delta);
  }

 protected:
  // "gap" of a line.
  void read_gap(Fields& in);
  // The recorded gap is the expected one, or at least in [0, most_gap()]. Returns it; none where there is no such
  // field.
  std::optional<double> checked_gap(std::optional<double> expected) const;
  // At the end of decided() and of observed().
  void count_decision(const RecordedRound& round, double z) {
    if (!is_node()) account_.decided(round, z, recomputed());
  }
  void count_round(const CertifiedRound& round) {
    if (!is_node()) account_.observed(round, recomputed());
  }
  const CertificateSums& sums() const { return account_.sums(); }

  std::optional<double> gap_;  // as recorded; none: null

 private:
  CertificateAccount account_;
};

}  // namespace hannan::detail
