#include "hannan/verify/noise_size_check.hpp"

#include "hannan/core/error.hpp"

namespace hannan::detail {

std::optional<RecomputedSize> known_noise_size(const RecordedSetting& s) {
  const auto known = noise_size_again(s);
  if (!known && !s.alpha) {
    throw Error(Code::kRejected,
                "found \"" + s.noise_name + "\" noise on \"" + s.perturbation + "\", which do not go together",
                "learner.params.noise");
  }
  return known;
}

void check_upper_noise_size(const StatedNoiseSize& stated, const Claims& claims, std::vector<std::string>& on_trust) {
  const RecordedSetting& s = stated.setting;
  const char* field = "end.certificate.assumptions.M";
  if (s.alpha && s.noise_size) return claims.expect_plain(field, stated.M, *s.noise_size);
  if (s.ln_size <= 0) return claims.expect_plain(field, stated.M, 0);
  const auto known = known_noise_size(s);
  if (!known) return;
  const bool same = s.exact && known->certain;
  // An oracle that stops early finds a little less in the same draws.
  const bool within = !same && stated.M >= known->low && stated.M <= known->high + (known->high - known->low);
  const bool agrees = agree(stated.M, known->high, known->precision);
  if (!within && !agrees) claims.reject_number(field, stated.M, known->high);
  if (!agrees) {
    on_trust.push_back("M = " + number_text(stated.M) + ", computed again as at most " + number_text(known->high) +
                       ", within the error of such a computation");
  }
}

}  // namespace hannan::detail
