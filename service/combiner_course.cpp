// Rows are read from where the last call ended, kCourseRows at a time. Invariant: every slice holds the sums of all
// rows read so far whose actual came within it, the newest also of those before which the clock went back; slices stand
// in the order of time. Cost: the rows since the last call.
#include "service/combiner_course.hpp"

#include <algorithm>
#include <utility>

#include "service/combiner_entry.hpp"

namespace hannan::detail::service {
namespace {

constexpr std::size_t kCourseRows = 500;    // read at a time
constexpr std::size_t kShownRows = 20;      // of the last ones
constexpr std::size_t kMostOpen = 100'000;  // rounds; the longest patience

}  // namespace

void CombinerCourse::Slices::add(std::int64_t time, const Slice& one) {
  const std::int64_t start = time / width * width;
  if (all.empty() || all.back().start < start) {
    all.push_back({.start = start});
    if (all.size() > most) all.pop_front();
  }
  // Clocks may go back: such a row counts in the newest stretch.
  Slice& into = all.back();
  into.rows += one.rows;
  into.weight += one.weight;
  into.combined += one.combined;
  into.today += one.today;
}

void CombinerCourse::read(RowReader& log, const HostedCombiner& learner) {
  const std::uint64_t to = learner.position();
  if (last_ == 0 && to > kSpan) last_ = to - kSpan;
  while (last_ < to) {
    const auto rows = log.rows_after(learner.log(), last_, kCourseRows);
    if (rows.empty()) return;
    for (const Row& row : rows) {
      if (row.t > to) return;
      add(row, learner);
      last_ = row.t;
    }
  }
}

void CombinerCourse::add(const Row& row, const HostedCombiner& learner) {
  const CombinerPlan& plan = learner.learner().combiner().plan();
  const Json line = parse_json(row.line);
  if (const Json* body = line.find("decide")) {
    const Json& answer = line.at("answer");
    if (!answer.at("forecast").is_number()) return;  // no model delivered: it waits for nothing
    open_[row.decision] = {.forecast = answer.at("forecast").as_number(),
                           .today = answer.at("members").at(plan.members[held_against(plan)].name).as_number(),
                           .weight = body->find_number("weight").value_or(1)};
    if (open_.size() > kMostOpen) open_.erase(open_.begin());
    return;
  }
  const auto said = open_.find(row.decision);
  const Json& outcome = line.at("outcome");
  if (said == open_.end()) return;
  if (outcome.is_number() && plan.loss.counts(outcome.as_number())) {
    const double y = outcome.as_number();
    const Said& of = said->second;
    const Slice one{.rows = 1,
                    .weight = of.weight,
                    .combined = of.weight * plan.loss.value(of.forecast, y),
                    .today = of.weight * plan.loss.value(of.today, y)};
    hours_.add(row.time, one);
    days_.add(row.time, one);
    recent_.push_front({.round = row.decision, .time = row.time, .said = of, .actual = y});
    if (recent_.size() > kShownRows) recent_.pop_back();
  }
  open_.erase(said);
}

Json CombinerCourse::slices_json(const Slices& slices) {
  Json start = Json::array(), rows = Json::array(), weight = Json::array(), combined = Json::array(),
       today = Json::array();
  for (const Slice& one : slices.all) {
    start.push_back(one.start);
    rows.push_back(one.rows);
    weight.push_back(one.weight);
    combined.push_back(one.combined);
    today.push_back(one.today);
  }
  return Json::object({{"width", slices.width},
                       {"start", std::move(start)},
                       {"rows", std::move(rows)},
                       {"weight", std::move(weight)},
                       {"combined", std::move(combined)},
                       {"today", std::move(today)}});
}

Json CombinerCourse::json(const HostedCombiner& learner) const {
  const CombinerPlan& plan = learner.learner().combiner().plan();
  Json recent = Json::array();
  for (const Come& one : recent_) {
    recent.push_back(Json::object({{"decision", decision_name(learner.log().generation, one.round)},
                                   {"time", one.time},
                                   {"forecast", one.said.forecast},
                                   {"today", one.said.today},
                                   {"actual", one.actual},
                                   {"error", one.said.forecast - one.actual}}));
  }
  return Json::object({{"loss", plan.loss.name()},
                       {"today", plan.members[held_against(plan)].name},
                       {"hours", slices_json(hours_)},
                       {"days", slices_json(days_)},
                       {"recent", std::move(recent)}});
}

}  // namespace hannan::detail::service
