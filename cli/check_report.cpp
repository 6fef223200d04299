// The findings of `hannan check` in sentences: what was looked at, gamma with its witness, which noises are allowed,
// which bounds follow, what is left open. Everything comes from the JSON result, so that text and --json say the same.
#include "check_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <vector>

#include "hannan/certify/conditions.hpp"
#include "hannan/core/printable.hpp"

namespace hannan::detail::cli {
namespace {

// Columns of a line; a terminal of 100 keeps a margin.
constexpr std::size_t kWidth = 98;

// What is no number stands for an infinite one, which JSON does not have.
double number(const Json& value) {
  return value.is_number() ? value.as_number() : std::numeric_limits<double>::infinity();
}

std::string few_digits(double value) {
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return fmt::format("{:.6g}", value == 0 ? 0.0 : value);
}

std::string shortened(const Json& value, std::size_t most) {
  std::string text = dump(value);
  if (text.size() > most) text = text.substr(0, most - 3) + "...";
  return text;
}

class Report {
 public:
  Report(std::FILE* to, const Json& answer) : to_(to), answer_(answer) {}

  void show(const std::string& outcomes) const {
    head(outcomes);
    gammas();
    sets("implementable", "implementable");
    sets("  weights >= 0", "nonnegatively_implementable");
    sets("negatively", "negatively_implementable");
    size();
    noises();
    bounds();
    verdict();
  }

 private:
  // "label   text", the text wrapped under itself.
  void line(std::string_view label, const std::string& text) const {
    constexpr std::size_t kLabel = 22;
    std::string rest = printable(text);
    for (bool first = true; first || !rest.empty(); first = false) {
      std::size_t cut = rest.size();
      if (cut > kWidth - kLabel) {
        cut = rest.rfind(' ', kWidth - kLabel);
        if (cut == std::string::npos || cut == 0) cut = std::min(rest.size(), kWidth - kLabel);
      }
      fmt::print(to_, "{:<{}}{}\n", first ? label : std::string_view{}, kLabel, rest.substr(0, cut));
      rest = cut < rest.size() ? rest.substr(rest[cut] == ' ' ? cut + 1 : cut) : std::string{};
    }
  }

  void head(const std::string& outcomes) const {
    const Json& actions = answer_.at("actions");
    line("problem",
         fmt::format("{}, perturbation {}", answer_.at("problem").as_string(), answer_.at("perturbation").as_string()));
    line("actions K", actions.is_null() ? fmt::format("e^{:.6g}", answer_.at("ln_actions").as_number())
                                        : fmt::format("{:.15g}", actions.as_number()));
    line("columns N", fmt::format("{:.15g}", answer_.at("columns").as_number()));
    line("outcomes", fmt::format("{:.15g}: {}", answer_.at("outcomes").at("count").as_number(), outcomes));
    const Json& delta = answer_.at("delta");
    line("delta", delta.at("all_actions").as_bool()
                      ? few_digits(number(delta.at("value")))
                      : fmt::format("at most {}, over {} sampled actions", few_digits(number(delta.at("value"))),
                                    delta.at("rows").as_number()));
  }

  void gammas() const {
    const Json& gamma = answer_.at("gamma");
    line("gamma claimed",
         gamma.at("claimed").is_null()
             ? "none"
             : few_digits(number(gamma.at("claimed"))) + (gamma.at("claimed_sign").as_string() == "any"
                                                              ? ""
                                                              : " with s " + gamma.at("claimed_sign").as_string()));
    this->gamma("gamma exact", gamma.at("free"), {});
    this->gamma("gamma, s >= 0", gamma.at("nonnegative"), gamma.at("free"));
    this->gamma("gamma, s <= 0", gamma.at("nonpositive"), gamma.at("free"));
  }

  // `other` is the gamma without a sign: where both have the same witness it is shown once.
  void gamma(std::string_view label, const Json& found, const Json& other) const {
    std::string text = found.at("value").is_null() ? fmt::format("at least {}: the oracle stopped at its work limit",
                                                                 few_digits(number(found.at("low"))))
                                                   : few_digits(number(found.at("value")));
    if (!found.at("all_actions").as_bool()) {
      text = fmt::format("{}{} over {} sampled pairs of action and outcome, against all rivals",
                         std::isinf(number(found.at("low"))) || found.at("value").is_null() ? "" : "at least ", text,
                         found.at("pairs").as_number());
    }
    if (found.at("method").as_string() != "full") {
      text += fmt::format(", by cutting planes ({} oracle calls, {} cuts)", found.at("oracle_calls").as_number(),
                          found.at("cuts").as_number());
    }
    line(label, text);
    const Json& witness = found.at("witness");
    // The same pair, said once, is enough.
    const bool repeated = other.is_object() && dump(other.at("witness")) == dump(witness);
    if (!witness.is_null() && !repeated) this->witness(witness);
  }

  // The proof in small: at this action and outcome, s must beat each rival by the difference of their losses. Where no
  // s does, the weights add the inequalities up to 0 >= something positive.
  void witness(const Json& w) const {
    const std::string action = shortened(w.at("action"), 30);
    line("", fmt::format("at action {} on outcome {}, loss {}", action, shortened(w.at("outcome"), 60),
                         few_digits(number(w.at("loss")))));
    const bool none = w.at("s").is_null();
    const auto& rivals = w.at("rivals").as_array();
    if (none && rivals.size() == 1 && dump(rivals[0].at("row")) == dump(w.at("row"))) {
      line("", fmt::format("action {} has the same row of Gamma and loss {}: no s separates them",
                           shortened(rivals[0].at("action"), 30), few_digits(number(rivals[0].at("loss")))));
      return;
    }
    constexpr std::size_t kMostShown = 4;
    for (std::size_t i = 0; i < rivals.size() && i < kMostShown; ++i) {
      const Json& rival = rivals[i];
      const double need = number(w.at("loss")) - number(rival.at("loss"));
      line("", fmt::format("  rival {}, loss {}: {} >= {}   (weight {})", shortened(rival.at("action"), 24),
                           few_digits(number(rival.at("loss"))), inequality(w.at("row"), rival.at("row")),
                           few_digits(need), few_digits(number(rival.at("weight")))));
    }
    if (rivals.size() > kMostShown)
      line("", fmt::format("  and {} more rivals (--json shows all)", rivals.size() - kMostShown));
    if (none) {
      line("", fmt::format("no such s: added up with these weights they read {} >= {}", added_up(w),
                           few_digits(mean_need(w))));
    } else {
      line("", "s = " + sparse(w.at("s")));
    }
  }

  // <row - rival's row, s> with the entries that are not zero.
  static std::string inequality(const Json& row, const Json& rival) {
    std::vector<double> difference;
    for (std::size_t i = 0; i < row.size(); ++i) difference.push_back(number(row[i]) - number(rival[i]));
    return linear(difference);
  }

  static std::string linear(const std::vector<double>& coefficients) {
    constexpr std::size_t kMostTerms = 6;
    std::string text;
    std::size_t terms = 0;
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
      if (std::abs(coefficients[i]) <= 1e-9) continue;
      if (++terms > kMostTerms) return text + " + ...";
      const double size = std::abs(coefficients[i]);
      text += coefficients[i] < 0 ? (text.empty() ? "-" : " - ") : (text.empty() ? "" : " + ");
      text += (size == 1 ? "" : few_digits(size) + " ") + fmt::format("s{}", i);
    }
    return text.empty() ? "0" : text;
  }

  // Left and right side of the inequalities added up with the rivals' weights; see witness().
  static double mean_need(const Json& w) {
    double need = 0;
    for (const Json& rival : w.at("rivals").as_array())
      need += number(rival.at("weight")) * (number(w.at("loss")) - number(rival.at("loss")));
    return need;
  }

  static std::string added_up(const Json& w) {
    std::vector<double> sum(w.at("row").size(), 0.0);
    for (const Json& rival : w.at("rivals").as_array()) {
      for (std::size_t i = 0; i < sum.size(); ++i)
        sum[i] += number(rival.at("weight")) * (number(w.at("row")[i]) - number(rival.at("row")[i]));
    }
    return linear(sum);
  }

  static std::string sparse(const Json& s) {
    std::string text;
    std::size_t shown = 0;
    for (std::size_t i = 0; i < s.size(); ++i) {
      if (number(s[i]) == 0) continue;
      if (++shown > 8) return text + ", ...";
      text += fmt::format("{}s{} = {}", text.empty() ? "" : ", ", i, few_digits(number(s[i])));
    }
    return text.empty() ? "0" : text;
  }

  // "no" is what is missing, "NO" a data set that was claimed and is wrong.
  void sets(std::string_view label, const char* key) const {
    const Json& found = answer_.at(key);
    const Json& missing = found.at("missing");
    if (!missing.is_null()) {
      line(label, fmt::format("no: column {} {}", missing.as_number(),
                              !found.at("searched").as_bool() ? "has no known data set"
                              : answer_.at("outcomes").at("all").as_bool()
                                  ? "has no data set"
                                  : "has no known data set and none of these outcomes"));
      return;
    }
    if (!found.at("holds").as_bool())
      return line(label, fmt::format("NO: a data set misses its column by {}", few_digits(number(found.at("gap")))));
    std::size_t points = 0;
    for (const Json& set : found.at("data").as_array()) points += set.size();
    line(label, fmt::format("yes, by {}: {} points in {} data sets, checked on {} actions", found.at("by").as_string(),
                            points, found.at("data").size(), found.at("checked_on").as_number()));
    if (found.at("data").size() > 0) {
      std::string text;
      for (const Json& point : found.at("data")[0].as_array()) {
        text += fmt::format("{}{} on {}", text.empty() ? "" : ", ", few_digits(number(point.at("weight"))),
                            shortened(point.at("outcome"), 40));
        if (text.size() > 140) break;
      }
      line("", "column 0: " + (text.empty() ? "no outcome, it is constant" : text));
    }
  }

  void size() const {
    const Json& found = answer_.at("noise_size");
    if (found.is_null()) return line("M", "not measured: this noise is refused");
    const double low = number(found.at("low")), high = number(found.at("high"));
    line("M", low == high ? fmt::format("{} ({})", few_digits(number(found.at("M"))), found.at("method").as_string())
                          : fmt::format("{} in [{}, {}] ({}, 99.9 %)", few_digits(number(found.at("M"))),
                                        few_digits(low), few_digits(high), found.at("method").as_string()));
  }

  void noises() const {
    fmt::print(to_, "noises\n");
    for (const Json& noise : answer_.at("noises").as_array()) {
      line("  " + noise.at("name").as_string(),
           noise.at("allowed").as_bool() ? "allowed" : "refused: " + noise.at("reason").as_string());
    }
  }

  void bounds() const {
    if (answer_.at("bounds").size() == 0) return;
    fmt::print(to_, "expected regret{:>34} {:>14}\n", "claimed gamma", "exact gamma");
    const auto cell = [](const Json& value) { return value.is_null() ? std::string("-") : few_digits(number(value)); };
    for (const Json& bound : answer_.at("bounds").as_array()) {
      fmt::print(
          to_, "  {:<10}{:<14}{:>4} {:>18} {:>14}\n", bound.at("learner").as_string(), bound.at("name").as_string(),
          bound.at("side").as_string() == "upper" ? "<=" : ">=", cell(bound.at("claimed")), cell(bound.at("exact")));
    }
  }

  void verdict() const {
    for (const Json& fault : answer_.at("fails").as_array()) line("FAILS", fault.as_string());
    for (const Json& open : answer_.at("open").as_array()) line("open", open.as_string());
    if (answer_.at("fails").size() == 0 && answer_.at("open").size() == 0)
      line("holds", "every condition, on what was looked at");
  }

  std::FILE* to_;
  const Json& answer_;
};

}  // namespace

void show_check(std::FILE* to, const Json& answer, const std::string& outcomes) { Report(to, answer).show(outcomes); }

}  // namespace hannan::detail::cli
