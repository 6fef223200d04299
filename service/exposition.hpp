// Figures as text for Prometheus (exposition format 0.0.4): families, each with one HELP and one TYPE line and all its
// samples behind them, as the format demands.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace hannan::detail::service {

class Exposition {
 public:
  enum class Type { kCounter, kGauge, kHistogram };
  // Begins a family: samples that follow are its own. `help` is one sentence in one line.
  struct Family {
    std::string_view name;
    Type type = Type::kGauge;
    std::string_view help;
  };
  Exposition& family(const Family& family);
  // `labels` are empty or `route="x",code="200"`; `suffix` is "_sum" or the like of a histogram.
  Exposition& sample(double value, std::string_view labels = {}, std::string_view suffix = {});
  // A family of one sample.
  Exposition& single(const Family& one, double value) { return family(one).sample(value); }

  // name="value", with the value's quotes and such escaped.
  static std::string label(std::string_view name, std::string_view value);

  std::string take() { return std::move(text_); }

 private:
  std::string name_, text_;
};

}  // namespace hannan::detail::service
