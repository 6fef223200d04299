// A flag as data: names, help, default, allowed values. The functions only fill it in; parse.cpp reads words by it, and
// help, manual and completion are printed from it, so that none of them can disagree.
#include "flags.hpp"

#include <cassert>
#include <cstdlib>
#include <type_traits>
#include <utility>

#include "hannan/io/json.hpp"

namespace hannan::detail::cli {

Flag& Flag::required() {
  is_required = true;
  return *this;
}

Flag& Flag::optional() {
  is_required = false;
  return *this;
}

// The value that the destination has when flags are defined, before any word is read.
Flag& Flag::show_default() {
  std::visit(
      [&](auto* from) {
        using Value = std::remove_pointer_t<decltype(from)>;
        if constexpr (std::is_same_v<Value, std::string>) {
          default_text = *from;
        } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
          for (const auto& value : *from) default_text += (default_text.empty() ? "" : ",") + value;
        } else if constexpr (std::is_same_v<Value, double>) {
          default_text = number_text(*from);
        } else if constexpr (std::is_same_v<Value, std::uint64_t> || std::is_same_v<Value, unsigned>) {
          default_text = std::to_string(*from);
        } else {
          assert(false && "a switch or an optional value has no default to show");
        }
      },
      to);
  return *this;
}

Flag& Flag::again() {
  assert(is_list());
  is_repeated = true;
  return *this;
}

Flag& Flag::split_at(char c) {
  separator = c;
  return *this;
}

Flag& Flag::in_group(std::string name) {
  group = std::move(name);
  return *this;
}

Flag& Flag::one_of(std::vector<std::string> names_allowed) {
  choices = std::move(names_allowed);
  return *this;
}

Flag& Flag::such_as(std::vector<NamedValue> known) {
  values = std::move(known);
  return *this;
}

Flag& Flag::range(std::uint64_t lo, std::uint64_t hi) {
  limit = Limit::kRange;
  lowest = lo;
  highest = hi;
  return *this;
}

Flag& Flag::positive() {
  limit = Limit::kPositive;
  return *this;
}

Flag& Flag::not_negative() {
  limit = Limit::kNotNegative;
  return *this;
}

bool Flag::is_whole() const {
  return std::holds_alternative<std::uint64_t*>(to) || std::holds_alternative<unsigned*>(to) ||
         std::holds_alternative<std::optional<std::uint64_t>*>(to);
}

bool Flag::is_real() const {
  return std::holds_alternative<double*>(to) || std::holds_alternative<std::optional<double>*>(to);
}

// Of "-d,--data" the part behind the comma.
std::string Flag::long_name() const { return names.substr(names.find(',') + 1); }

std::string Flag::value_word() const {
  if (is_switch()) return {};
  return is_whole() ? "UINT" : is_real() ? "FLOAT" : "TEXT";
}

Flag& Command::add(std::string names, Destination to, std::string flag_about) {
  return flags.emplace_back(Flag{.names = std::move(names), .to = to, .about = std::move(flag_about)});
}

// For definitions that change a flag which another function added.
Flag& Command::flag(std::string_view long_name) {
  for (Flag& flag : flags) {
    if (flag.long_name() == long_name) return flag;
  }
  assert(false && "no flag of this name");
  std::abort();
}

}  // namespace hannan::detail::cli
