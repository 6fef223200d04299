// Recursive descent over the grammar in formula.hpp. depth_ counts open calls of sum and factor, so that no text can
// exhaust the stack. A power with a whole exponent up to 64 is a product; others go through the portable functions.
#include "hannan/io/formula.hpp"

#include <cctype>
#include <charconv>
#include <cmath>

#include "hannan/core/elementary.hpp"
#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace {

// 100: chosen, far above what people write.
constexpr int kMostDepth = 100;

class Evaluator {
 public:
  Evaluator(std::string_view text, const NameValue& names, const std::string& path)
      : text_(text), names_(names), path_(path) {}

  double whole() {
    const double value = sum();
    if (peek() != '\0') refuse("an operator");
    if (!std::isfinite(value))
      throw Error(Code::kOutOfRange, "\"" + std::string(text_) + "\" is no finite number", path_);
    return value;
  }

 private:
  // sum = term (("+" | "-") term)*, from left to right.
  double sum() {
    if (++depth_ > kMostDepth) refuse("at most 100 nested parts");
    double value = term();
    for (char sign = peek(); sign == '+' || sign == '-'; sign = peek()) {
      ++at_;
      const double next = term();
      value = sign == '+' ? value + next : value - next;
    }
    --depth_;
    return value;
  }

  // term = factor (("*" | "/") factor)*. A division by 0 is infinite and refused at the end.
  double term() {
    double value = factor();
    for (char sign = peek(); sign == '*' || sign == '/'; sign = peek()) {
      ++at_;
      const double next = factor();
      value = sign == '*' ? value * next : value / next;
    }
    return value;
  }

  // factor = "-" factor | base ("^" factor)?: the power binds closer than the sign and to the right, -2^2 is -4.
  double factor() {
    if (++depth_ > kMostDepth) refuse("at most 100 nested parts");
    double value;
    if (peek() == '-') {
      ++at_;
      value = -factor();
    } else {
      value = base();
      if (peek() == '^') {
        ++at_;
        value = power(value, factor());
      }
    }
    --depth_;
    return value;
  }

  // A bracket, a number, a name, or a function of a bracket.
  double base() {
    const char first = peek();
    if (first == '(') return bracket();
    if (std::isdigit(static_cast<unsigned char>(first)) || first == '.') {
      double value = 0;
      const auto [end, failed] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
      if (failed != std::errc()) refuse("a number");
      at_ = static_cast<std::size_t>(end - text_.data());
      return value;
    }
    std::string name;
    while (at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_]))) name += text_[at_++];
    if (name.empty()) refuse("a number, a name or a bracket");
    if (peek() != '(') return names_(name);
    if (name == "sqrt") return std::sqrt(bracket());
    if (name == "ln") return logarithm(bracket());
    if (name == "floor") return std::floor(bracket());
    throw Error(Code::kUnknownName, "found \"" + name + "\", expected one of sqrt, ln, floor", path_);
  }

  double bracket() {
    ++at_;
    const double value = sum();
    if (peek() != ')') refuse("a closing bracket");
    ++at_;
    return value;
  }

  // The same bits on every machine, which std::log and std::pow do not promise.
  static double logarithm(double x) { return x > 0 ? portable_log(x) : std::nan(""); }
  static double power(double x, double y) {
    if (y == std::floor(y) && std::abs(y) <= 64) {
      double product = 1;
      for (int i = 0; i < static_cast<int>(std::abs(y)); ++i) product *= x;
      return y < 0 ? 1 / product : product;
    }
    return x > 0 ? portable_exp(y * portable_log(x)) : std::nan("");
  }

  // The next character that is no blank, 0 at the end. It stays where it is.
  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  [[noreturn]] void refuse(const std::string& expected) const {
    const std::string found = at_ < text_.size() ? "\"" + std::string(text_.substr(at_, 1)) + "\"" : "the end";
    throw Error(Code::kMalformed,
                "found " + found + " at character " + std::to_string(at_ + 1) + " of \"" + std::string(text_) +
                    "\", expected " + expected,
                path_);
  }

  std::string_view text_;
  const NameValue& names_;
  const std::string& path_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

double evaluate_formula(std::string_view text, const NameValue& names, const std::string& path) {
  return Evaluator(text, names, path).whole();
}

}  // namespace hannan::detail
