// A law by its name: the first kind of the list that reads it. A kind that knows the prefix but not the number throws
// itself.
#include "hannan/noise/noise.hpp"

#include <fmt/format.h>

#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/noise/laplace.hpp"
#include "hannan/noise/noise_kinds.hpp"

namespace hannan {

Noise::Noise() : Noise(detail::Laplace{}) {}

Noise Noise::parse(std::string_view name, std::string_view at) {
  std::string forms;
  for (const detail::NoiseKind& kind : detail::noise_kinds()) {
    if (const auto law = kind.read(name, at)) return *law;
    forms += fmt::format("{}{}", forms.empty() ? "" : ", ", kind.form);
  }
  throw Error(Code::kUnknownName, fmt::format("noise: found \"{}\", expected one of {}", name, forms), std::string(at));
}

Draw seeded(Noise law, Key key, Purpose purpose) {
  return {[law = std::move(law), key, purpose](std::uint64_t round, std::span<double> alpha) {
    law.draw(KeyedRandom(key, purpose, round), alpha, {});
  }};
}

}  // namespace hannan
