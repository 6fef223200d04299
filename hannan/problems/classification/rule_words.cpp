// A rule as a sentence for people, recognised by the fields that it has. Nothing is computed from the sentence.
#include "hannan/problems/classification/rule_words.hpp"

namespace hannan::detail {
namespace {

std::string feature_words(const Json& feature) {
  return feature.is_string() ? feature.as_string() : "column " + dump(feature);
}

std::string number_words(const Json& value) { return value.is_string() ? value.as_string() : dump(value); }

// What the cut or the category of a stump, or of the root of a tree, asks.
std::string condition_words(const Json& rule) {
  const std::string feature = feature_words(rule.at("feature"));
  if (const Json* is = rule.find("is")) return feature + " is " + is->as_string();
  return feature + " >= " + number_words(rule.at("cut"));
}

std::string interval_words(const Json& low, const Json& high, std::size_t i) {
  return number_words(low[i]) + " <= x" + std::to_string(i + 1) + " <= " + number_words(high[i]);
}

}  // namespace

std::string rule_words(const Json& rule) {
  if (!rule.is_object()) return dump(rule);
  const Json* category = rule.find("is");
  const bool never = category && category->is_null();  // no category at all: its condition never holds
  if (never && rule.find("left")) return rule_words(rule.at("left"));
  if (never && rule.find("says")) return rule.at("says") == Json(1) ? "always 0" : "always 1";
  if (rule.find("left") && rule.find("right") && rule.find("feature"))
    return "if " + condition_words(rule) + ": (" + rule_words(rule.at("right")) + "), else: (" +
           rule_words(rule.at("left")) + ")";
  const Json* says = rule.find("above") ? rule.find("above") : rule.find("says");
  if (rule.find("feature") && says) {
    const bool one = *says == Json(1);
    return std::string(one ? "1" : "0") + " where " + condition_words(rule) + ", else " + (one ? "0" : "1");
  }
  if (rule.find("cut")) return "1 where x >= " + number_words(rule.at("cut")) + ", else 0";
  if (rule.find("low") && rule.find("high"))
    return "1 where " + interval_words(rule.at("low"), rule.at("high"), 0) + " and " +
           interval_words(rule.at("low"), rule.at("high"), 1) + ", else 0";
  if (rule.find("normal") && rule.find("offset"))
    return "1 where " + number_words(rule.at("normal")[0]) + " x1 + " + number_words(rule.at("normal")[1]) +
           " x2 >= " + number_words(rule.at("offset")) + ", else 0";
  if (rule.find("votes")) return "the vote of the first " + dump(rule.at("votes")) + " stumps";
  return dump(rule);
}

}  // namespace hannan::detail
