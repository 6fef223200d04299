#include "hannan/verify/rules/mixture.hpp"

#include "hannan/verify/end_fields.hpp"

namespace hannan::detail {

void MixtureRule::expect_sample(const RecordedRound& round, double slack) const {
  const std::size_t index = *round.index;
  if (!(weights_[index] > 0))
    claims().reject("action", "found " + dump(round.action) + ", which has no weight in the mixture");
  const double u = RoundWords(setting().key, DrawPurpose::kMixture, round.t).uniform(0);
  double below = 0;
  for (std::size_t k = 0; k < index; ++k) below += weights_[k];
  const double reached = below + weights_[index];
  if (u >= below - slack && (u < reached + slack || reached >= 1 - slack)) return;
  claims().reject("action", "found " + dump(round.action) + ", which is drawn by numbers from " + number_text(below) +
                                " to " + number_text(reached) + ", and that of the round is " + number_text(u));
}

double MixtureRule::mean_loss(const RecordedRound& round) const {
  double mean = 0;
  if (!plays(round)) return mean;
  for (std::size_t k = 0; k < weights_.size(); ++k)
    mean += SleepingTotals::awake(round.losses[k]) ? weights_[k] * round.losses[k] : 0.0;
  return mean;
}

void MixtureRule::check_list(Fields& end, const char* name, const std::function<double(std::size_t)>& value) const {
  check_numbers(end, name, claims(), {weights_.size(), value});
}

}  // namespace hannan::detail
