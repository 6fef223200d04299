#include "hannan/check/check_outcomes.hpp"

#include <set>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"

namespace hannan {
namespace {

class Lister final : private ExtremeOutcomes<Json> {
 public:
  Lister(const AnyProblem& problem, const std::string& perturbation, std::uint64_t limit)
      : problem_(problem), perturbation_(perturbation), limit_(limit) {}

  OutcomeList list() {
    add_data_sets();
    const std::size_t from_sets = found_.outcomes.size();
    found_.words = std::to_string(from_sets) + " of the data sets";
    problem_.extreme_outcomes(*this);
    return std::move(found_);
  }

 private:
  std::uint64_t left() const override { return limit_ - found_.outcomes.size(); }
  void add(const Json& outcome) override {
    if (left() > 0 && seen_.insert(dump(outcome)).second) found_.outcomes.push_back(outcome);
  }
  void describe(const std::string& words) override { found_.words += ", " + words; }

  void add_data_sets() {
    const Json all = problem_.describe().at("perturbations");
    std::size_t columns = 0;
    for (const Json& matrix : all.as_array()) {
      if (perturbation_.empty() || matrix.at("name").as_string() == perturbation_) {
        columns = static_cast<std::size_t>(matrix.at("columns").as_number());
        break;
      }
    }
    const std::string name = perturbation_.empty() ? all[0].at("name").as_string() : perturbation_;
    // Half of the limit: the extreme outcomes matter more.
    for (std::size_t j = 0; j < columns && 2 * found_.outcomes.size() < limit_; ++j) {
      for (const int sign : {1, -1}) {
        for (const Weights weights : {Weights::kAnySign, Weights::kNonNegative}) {
          try {
            const Json set = problem_.column(name, j, sign, weights);
            for (const Json& point : set.at("data").as_array()) add(point.at("outcome"));
          } catch (const Error& e) {
            if (e.code() != Code::kUnavailable) throw;  // no such set: nothing to take from it
          }
        }
      }
    }
  }

  const AnyProblem& problem_;
  std::string perturbation_;
  std::uint64_t limit_;
  OutcomeList found_;
  std::set<std::string> seen_;
};

}  // namespace

Json distinct(const Json& outcomes, std::uint64_t limit) {
  Json list = Json::array();
  std::set<std::string> seen;
  for (const Json& outcome : outcomes.as_array()) {
    if (list.size() == limit) break;
    if (seen.insert(dump(outcome)).second) list.push_back(outcome);
  }
  return list;
}

OutcomeList listed_outcomes(const AnyProblem& problem, const std::string& perturbation, std::uint64_t limit) {
  const Json all = problem.outcomes();
  if (all.is_null()) return Lister(problem, perturbation, limit).list();
  if (all.size() <= limit) return {all, true, "all there are"};
  OutcomeList some;
  for (std::uint64_t i = 0; i < limit; ++i) some.outcomes.push_back(all[i * all.size() / limit]);
  some.words = "evenly spaced among all " + std::to_string(all.size());
  return some;
}

}  // namespace hannan
