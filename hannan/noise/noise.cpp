#include "hannan/noise/noise.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "hannan/core/error.hpp"

namespace hannan {
namespace {

// The number after the colon, all of it, finite; `law` names it in the message.
double parse_parameter(std::string_view text, std::string_view law, std::string_view at) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc{} || stop != end || !std::isfinite(value))
    throw Error(Code::kNotANumber, fmt::format("noise {}: found \"{}\", expected a finite number", law, text),
                std::string(at));
  return value;
}

double parse_exponent(std::string_view text, std::string_view at) {
  if (text == "inf") return std::numeric_limits<double>::infinity();
  const double p = parse_parameter(text, "lp:P", at);
  if (p < 1)
    throw Error(Code::kOutOfRange, fmt::format("noise lp:P: found P = {}, expected P >= 1 or \"inf\"", text),
                std::string(at));
  return p;
}

double parse_bound(std::string_view text, std::string_view at) {
  const double bound = parse_parameter(text, "uniform:B", at);
  if (bound <= 0)
    throw Error(Code::kOutOfRange, fmt::format("noise uniform:B: found B = {}, expected B > 0", text), std::string(at));
  return bound;
}

}  // namespace

Noise Noise::parse(std::string_view name, std::string_view at) {
  constexpr std::string_view kLp = "lp:";
  constexpr std::string_view kUniform = "uniform:";
  if (name == "laplace") return Noise(Laplace{});
  if (name == "exponential") return Noise(Exponential{});
  if (name == "exponential-centred") return Noise(CentredExponential{});
  if (name.starts_with(kLp)) return Noise(LpBall{parse_exponent(name.substr(kLp.size()), at)});
  if (name.starts_with(kUniform)) return Noise(Uniform{parse_bound(name.substr(kUniform.size()), at)});
  throw Error(Code::kUnknownName,
              fmt::format("noise: found \"{}\", expected laplace, exponential, exponential-centred, lp:P or "
                          "uniform:B",
                          name),
              std::string(at));
}

std::string Noise::name() const {
  return std::visit([](const auto& law) { return law.name(); }, law_);
}

NoiseFacts Noise::facts() const {
  return std::visit([](const auto& law) { return law.facts(); }, law_);
}

void Noise::draw(const KeyedRandom& random, std::span<double> alpha, ColumnSigns signs) const {
  std::visit([&](const auto& law) { law.draw(random, alpha, signs); }, law_);
}

double Noise::mass(double low, double high) const {
  return std::visit([&](const auto& law) { return law.mass(low, high); }, law_);
}

}  // namespace hannan
