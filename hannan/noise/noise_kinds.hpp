// The noise laws by name: what noise/all.hpp lists, as a table.
//
// A listed law is a NoiseLaw with the form of its name, kForm: "laplace", or with a parameter "lp:P". A law with a
// parameter also has kExamples, names with values for it, and parse(text after the colon, place in the input), which
// throws kNotANumber or kOutOfRange.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "hannan/noise/noise.hpp"

namespace hannan::detail {

struct NoiseKind {
  std::string_view form;
  std::vector<std::string_view> examples;  // at least one name that reads as this law
  // The law of this name; nothing if the name is that of another.
  std::optional<Noise> (*read)(std::string_view name, std::string_view at);
};

// In the order of noise/all.hpp.
const std::vector<NoiseKind>& noise_kinds();

template <NoiseLaw L>
NoiseKind noise_kind() {
  if constexpr (requires { L::parse(std::string_view{}, std::string_view{}); }) {
    return {L::kForm,
            {L::kExamples.begin(), L::kExamples.end()},
            [](std::string_view name, std::string_view at) -> std::optional<Noise> {
              const std::string_view prefix = L::kForm.substr(0, L::kForm.find(':') + 1);
              if (!name.starts_with(prefix)) return std::nullopt;
              return Noise(L::parse(name.substr(prefix.size()), at));
            }};
  } else {
    return {L::kForm, {L::kForm}, [](std::string_view name, std::string_view) -> std::optional<Noise> {
              if (name != L::kForm) return std::nullopt;
              return Noise(L{});
            }};
  }
}

}  // namespace hannan::detail
