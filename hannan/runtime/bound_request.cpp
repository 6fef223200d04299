// A bound by name with parameters from JSON (op "bound", `hannan bound`): the table of certify/named_bounds.cpp
// evaluated.
#include "hannan/runtime/bound_request.hpp"

#include "hannan/certify/named_bounds.hpp"
#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace {

// The place of a word among those that a parameter of a bound takes.
double word_place(Fields& in, std::string_view name, const std::vector<std::string_view>& words) {
  const std::string found = in.word(name);
  std::string all;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (found == words[i]) return static_cast<double>(i);
    all += (i > 0 ? ", " : "") + std::string(words[i]);
  }
  throw Error(Code::kUnknownName, "found \"" + found + "\", expected one of " + all, in.at(name));
}

}  // namespace

Json bound_value(Fields& in) {
  const std::string name = in.word("name");
  Fields params = in.fields("params");
  in.done();
  const NamedBound* bound = find_bound(name);
  if (!bound) {
    std::string names;
    for (const auto& row : named_bounds()) names += (names.empty() ? "" : ", ") + std::string(row.name);
    throw Error(Code::kUnknownName, "found \"" + name + "\", expected one of " + names, "name");
  }
  std::vector<double> numbers, list;
  for (const auto& param : bound->params) {
    const bool word = numbers.empty() && !bound->words.empty();
    numbers.push_back(word ? word_place(params, param, bound->words) : params.number(param, kExtended));
  }
  if (!bound->list.empty()) list = params.numbers(bound->list, kExtended);
  params.done();
  const BoundValue value = evaluate_bound(*bound, numbers, list);
  return std::visit([](const auto& found) { return Json(found); }, value);
}

}  // namespace hannan::detail
