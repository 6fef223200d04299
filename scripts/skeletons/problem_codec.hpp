// `@name@` as JSON: an action and an outcome are numbers from 0 to n.
#pragma once

#include <memory>
#include <string_view>

#include "hannan/core/keyed_random.hpp"
#include "hannan/io/codec.hpp"
#include "hannan/io/problem_help.hpp"
#include "hannan/problems/@file@/@file@.hpp"

namespace hannan::detail {

template <>
struct Codec<@Type@> {
  static constexpr std::string_view kKind = "@name@";
  static constexpr std::string_view kAbout = "guess a number before it is shown";

  static std::shared_ptr<const @Type@> parse(Fields& params) {
    const auto greatest = static_cast<std::uint64_t>(params.integer("greatest", kNatural));
    return made_from(params, [&] { return std::make_shared<const @Type@>(greatest); });
  }
  static Json params(const @Type@& p) { return Json::object({{"greatest", p.greatest()}}); }

  static Json action_json(const @Type@&, const @Type@::Action& x) { return Json(x); }
  static @Type@::Action parse_action(const @Type@& p, const Json& json, std::string_view path) { return number(p, json, path); }
  static Json outcome_json(const @Type@&, const @Type@::Outcome& y) { return Json(y); }
  static @Type@::Outcome parse_outcome(const @Type@& p, const Json& json, std::string_view path) {
    return number(p, json, path);
  }

  // Small parameters to test with, and one set for the signature of `hannan bench`, which never changes once it is there.
  static ProblemInstances instances() {
    return {.tested = {R"({"greatest":1})", R"({"greatest":9})"}, .signature = {}, .flat = {}};
  }
  // What `hannan help @name@` says: every parameter in one line with a value to begin with, what a round is, a command.
  static ProblemHelp help() {
    return {.parameters = {{"greatest", "the largest number", "9", ParameterHelp::Need::kNeeded}},
            .file_options = {},
            .data = "the number that came, from 0",
            .outcome = "3",
            .example = "hannan run @name@ --param greatest=9 -d numbers.jsonl"};
  }
  // A random outcome for the tests.
  static @Type@::Outcome sample_outcome(const @Type@& p, const KeyedRandom& random) { return random.below(0, p.size()); }

 private:
  static std::uint64_t number(const @Type@& p, const Json& json, std::string_view path) {
    return static_cast<std::uint64_t>(to_integer(json, path, {0, static_cast<std::int64_t>(p.greatest())}));
  }
};

}  // namespace hannan::detail
