// Saving the sums of an account. A state without them (an earlier version) reads as an account of no rounds, which is
// less than the learner's rounds, and no certificate of the run is stated.
#include "hannan/certify/run_account.hpp"

namespace hannan {

void RunSums::archive(Archive& a) {
  a.later_count("account_rounds", rounds);
  a.later_count("noisy_rounds", noisy, rounds);
  a.later_field("first_multiplier", first);
  a.later_field("quiet_gaps", quiet_gaps);
  a.later_field("noisy_gaps", noisy_gaps);
  a.later_field("moves", moves);
  a.later_field("up_moves", up_moves);
  a.later_field("up_squares", up_squares);
  a.later_field("up", up);
  a.later_field("free_gaps", free_gaps);
  a.later_field("squares", squares);
  a.later_field("left", left);
  a.later_field("moved_left", moved_left);
  a.later_field("credits", credits);
  if (!a.reading()) return;
  // Only moves may be negative, and rounding may make up_moves so.
  for (const double sum :
       {first, quiet_gaps, noisy_gaps, up_squares, up, free_gaps, squares, left, moved_left, credits}) {
    if (!(sum >= 0)) a.refuse("", "found a negative sum in the account of the run");
  }
}

}  // namespace hannan
