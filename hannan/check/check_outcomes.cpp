#include "hannan/check/check_outcomes.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"

namespace hannan {
namespace {

// The points of {0, 1/step, ..., 1}^width in order; empty if there are more than `limit`.
std::vector<std::vector<double>> grid(std::uint64_t step, std::size_t width, std::uint64_t limit) {
  if (std::pow(static_cast<double>(step) + 1, static_cast<double>(width)) > static_cast<double>(limit)) return {};
  std::vector<std::vector<double>> points{std::vector<double>{}};
  for (std::size_t i = 0; i < width; ++i) {
    std::vector<std::vector<double>> longer;
    for (const auto& point : points) {
      for (std::uint64_t v = 0; v <= step; ++v) {
        longer.push_back(point);
        longer.back().push_back(static_cast<double>(v) / static_cast<double>(step));
      }
    }
    points = std::move(longer);
  }
  return points;
}

class Lister {
 public:
  Lister(const AnyProblem& problem, const std::string& perturbation, std::uint64_t limit)
      : problem_(problem), params_(problem.params()), perturbation_(perturbation), limit_(limit) {}

  OutcomeList list() {
    add_data_sets();
    const std::size_t from_sets = found_.outcomes.size();
    found_.words = std::to_string(from_sets) + " of the data sets";
    if (problem_.kind() == "multi-unit") {
      add_steps();
    } else if (problem_.kind() == "item-pricing") {
      add_lone_buyers();
    } else if (problem_.row_width() > 0 && problem_.kind() != "routing" && problem_.kind() != "experts") {
      add_grid();
    } else if (problem_.row_width() > 0) {
      add_corners("0 and 1");
    }
    return std::move(found_);
  }

 private:
  std::uint64_t count(const char* name) const { return static_cast<std::uint64_t>(params_.at(name).as_number()); }
  bool room() const { return found_.outcomes.size() < limit_; }

  void add(Json outcome) {
    if (room() && seen_.insert(dump(outcome)).second) found_.outcomes.push_back(std::move(outcome));
  }
  void say(const std::string& words) { found_.words += (found_.words.empty() ? "" : ", ") + words; }

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
    // Half the room: the extreme outcomes matter more.
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

  void add_grid() {
    const std::uint64_t levels = count("levels"), left = limit_ - found_.outcomes.size();
    const std::size_t width = problem_.row_width();
    for (const std::uint64_t step : {2 * levels, levels}) {
      auto points = grid(step, width, left);
      if (points.empty()) continue;
      for (auto& point : points) {
        if (step > levels) move_up(point, levels);
        add_row(point);
      }
      return say("the grid of 1/" + std::to_string(levels) + (step > levels ? " and just below it" : ""));
    }
    add_corners("the corners 0 and 1");
  }

  // Every other value of the doubled grid becomes the one just below the next level: a bid that just misses a
  // reserve costs the most. 1e-6 is far above the slack with which a bid reaches its level.
  static void move_up(std::vector<double>& point, std::uint64_t levels) {
    for (double& value : point) {
      const auto place = std::lround(value * 2 * static_cast<double>(levels));
      if (place % 2) value = static_cast<double>((place + 1) / 2) / static_cast<double>(levels) - 1e-6;
    }
  }

  // All corners where they fit, else the corners with up to two ones and up to two zeros.
  void add_corners(const std::string& words) {
    const std::size_t width = problem_.row_width();
    const auto points = grid(1, width, limit_ - found_.outcomes.size());
    for (const auto& point : points) add_row(point);
    if (!points.empty()) return say("all vectors of " + words);
    for (const double base : {0.0, 1.0}) {
      add_row(std::vector<double>(width, base));
      for (std::size_t i = 0; i < width && room(); ++i) {
        for (std::size_t j = i; j < width && room(); ++j) {
          std::vector<double> point(width, base);
          point[i] = point[j] = 1 - base;
          add_row(point);
        }
      }
    }
    say("vectors of " + words + ", at most two different from the rest");
  }

  void add_row(const std::vector<double>& row) { add(problem_.outcome_of_row(row)); }

  // One buyer: a bundle at every level, or a value per item.
  void add_lone_buyers() {
    const std::uint64_t items = count("items"), levels = count("levels");
    if (params_.at("demand").as_string() == "unit") {
      for (const std::uint64_t step : {2 * levels, levels, std::uint64_t{1}}) {
        const auto points = grid(step, items, limit_ - found_.outcomes.size());
        if (points.empty()) continue;
        for (const auto& values : points) add(Json::array({Json(values)}));
        return say("one buyer with values on the grid of 1/" + std::to_string(step));
      }
      return;
    }
    for (std::uint64_t size = 1; size <= items; ++size) {
      for (const auto& bundle : bundles(items, size)) {
        for (std::uint64_t v = 0; v <= levels && room(); ++v) {
          add(Json::array({Json::object(
              {{"bundle", Json::array(bundle)}, {"value", static_cast<double>(v) / static_cast<double>(levels)}})}));
        }
        if (!room()) return say("one buyer, bundles of up to " + std::to_string(size) + " items at every level");
      }
    }
    say("one buyer, every bundle at every level");
  }

  // In lexicographic order; as many as there is room for.
  std::vector<std::vector<std::uint64_t>> bundles(std::uint64_t items, std::uint64_t size) const {
    std::vector<std::vector<std::uint64_t>> all;
    std::vector<std::uint64_t> bundle(size);
    for (std::uint64_t i = 0; i < size; ++i) bundle[i] = i;
    while (all.size() < limit_) {
      all.push_back(bundle);
      std::uint64_t at = size;
      while (at > 0 && bundle[at - 1] == items - size + at - 1) --at;
      if (at == 0) break;
      ++bundle[at - 1];
      for (std::uint64_t i = at; i < size; ++i) bundle[i] = bundle[i - 1] + 1;
    }
    return all;
  }

  // Per bidder nothing, or all of the value from q units on: the extreme monotone valuations.
  void add_steps() {
    const std::uint64_t units = count("units"), bidders = count("bidders");
    const auto points = grid(units, bidders, limit_ - found_.outcomes.size());
    const auto step = [](std::uint64_t q) {
      return q == 0 ? Json::array() : Json::array({Json::array({Json(q), Json(1)})});
    };
    for (const auto& point : points) {
      Json profile = Json::array();
      for (const double share : point)
        profile.push_back(step(static_cast<std::uint64_t>(std::lround(share * static_cast<double>(units)))));
      add(std::move(profile));
    }
    if (!points.empty()) return say("all profiles of one step per bidder");
    for (std::uint64_t q = 1; q <= units && room(); ++q) {
      for (std::uint64_t i = 0; i < bidders && room(); ++i) {
        Json lone = Json::array(), crowd = Json::array();
        for (std::uint64_t b = 0; b < bidders; ++b) {
          lone.push_back(step(b == i ? q : 0));
          crowd.push_back(step(1 + (q - 1 + b * i) % units));
        }
        add(std::move(crowd));
        add(std::move(lone));
      }
    }
    say("one step of one bidder or of each");
  }

  const AnyProblem& problem_;
  Json params_;
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
