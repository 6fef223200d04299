// A problem's border: its name, its parameters, actions and outcomes as JSON.
//
// The mathematics of a problem knows no JSON. What stands between the two is Codec<P>, specialised in
// problems/<name>/<name>_codec.hpp:
//
//   kKind, kAbout                              the name on the command line and one line of help
//   parse(Fields&) -> shared_ptr<const P>      from parameters; throws what is wrong, with the field's path
//   params(p) -> Json                          every parameter; parse(params(p)) is the same problem
//   action_json(p, x), parse_action(p, json, path)
//   outcome_json(p, y), parse_outcome(p, json, path)
#pragma once

#include <memory>
#include <string_view>

#include "hannan/io/fields.hpp"
#include "hannan/io/json.hpp"

namespace hannan {

template <class P>
struct Codec {
  static constexpr std::string_view kKind = P::kKind;
  static constexpr std::string_view kAbout = P::kAbout;

  static std::shared_ptr<const P> parse(Fields& fields) { return P::parse(fields); }
  static Json params(const P& p) { return p.params(); }
  static Json action_json(const P& p, const typename P::Action& x) { return p.action_json(x); }
  static typename P::Action parse_action(const P& p, const Json& json, std::string_view path) {
    return p.parse_action(json, path);
  }
  static Json outcome_json(const P& p, const typename P::Outcome& y) { return p.outcome_json(y); }
  static typename P::Outcome parse_outcome(const P& p, const Json& json, std::string_view path) {
    return p.parse_outcome(json, path);
  }
};

}  // namespace hannan
