// Curves of a record gathered line by line: each series is thinned as it grows, so that memory does not depend on the
// rounds.
#include "hannan/report/record_curves.hpp"

#include <algorithm>

namespace hannan::detail {
namespace {

// Points are never empty here.
double greatest(const std::vector<ThinnedPoint>& points) {
  double value = points.front().value;
  for (const auto& point : points) value = std::max(value, point.value);
  return value;
}

}  // namespace

// Decisions are drawn at their own rounds, losses at the last settled one.
void RecordCurves::delayed_row(const Json& line) {
  if (line.find("decide")) {
    ++opened_;
    if (const auto multiplier = line.find_number("multiplier")) multiplier_.add(opened_, *multiplier);
    if (const Json* action = line.find("action")) actions_.add(opened_, *action);
    return;
  }
  const auto settled = line.find_number("settled"), total = line.find_number("total");
  if (!settled || !total || !(*settled > static_cast<double>(rounds_) && *settled < 0x1p53)) return;
  rounds_ = static_cast<std::uint64_t>(*settled);
  total_ = *total;
  loss_mean_.add(rounds_, total_ / *settled);
  if (const auto best = line.find_number("best")) {
    regret_.add(rounds_, total_ - *best);
    best_mean_.add(rounds_, *best / *settled);
  }
  if (const auto stability = line.find_number("stability")) parts_["stability"].add(rounds_, *stability);
}

// Fields of one line that are there; a learner without a rate or a regime has no such chart.
void RecordCurves::round(const Json& line) {
  if (line.find("decide") || line.find("observe")) return delayed_row(line);
  const std::uint64_t t = ++rounds_;
  const auto rounds = static_cast<double>(t);
  total_ += line.find_number("loss").value_or(0);
  loss_mean_.add(t, total_ / rounds);
  if (const auto best = line.find_number("best")) {
    regret_.add(t, total_ - *best);
    best_mean_.add(t, *best / rounds);
  }
  if (const auto eta = line.find_number("eta")) eta_.add(t, *eta);
  if (const auto multiplier = line.find_number("multiplier")) multiplier_.add(t, *multiplier);
  if (const Json* regime = line.find("regime"); regime && regime->is_string()) {
    // There are two: the share of the one that does not begin says all.
    if (first_regime_.empty()) first_regime_ = regime->as_string();
    const bool other = regime->as_string() != first_regime_;
    if (other && second_regime_.empty()) second_regime_ = regime->as_string();
    second_share_.add(t, other ? 1 : 0);
    second_rounds_ += other ? 1 : 0;
  }
  if (const Json* switched = line.find("switched"); switched && switched->is_bool()) {
    if (switched->as_bool()) ++switches_;
    switch_path_.add(t, static_cast<double>(switches_));
  }
  if (const Json* stability = line.find("stability")) {
    static constexpr const char* kNames[] = {"flip", "flop"};
    if (stability->is_number()) parts_["stability"].add(t, stability->as_number());
    for (std::size_t i = 0; stability->is_array() && i < std::min<std::size_t>(2, stability->size()); ++i) {
      if ((*stability)[i].is_number()) parts_[kNames[i]].add(t, (*stability)[i].as_number());
    }
  }
  if (const Json* estimates = line.find("estimates")) {
    for (const char* name : {"leader", "gftpl"}) {
      if (const auto value = estimates->find_number(name)) parts_[name].add(t, *value);
    }
  }
  if (const Json* action = line.find("action")) actions_.add(t, *action);
}

// Says what was drawn, so that no reader takes thinned points for all rounds.
std::string RecordCurves::thinning() const {
  const std::uint64_t width = loss_mean_.width();
  if (width == 1) return "Every round is drawn.";
  return "Of every " + std::to_string(width) +
         " rounds in a row the least and the greatest value are drawn, so peaks and dips are all there.";
}

std::string RecordCurves::BoundCurve::name() const {
  return of == Of::kMean   ? "expected regret, at most"
         : of == Of::kPath ? "limit (certain)"
                           : "limit (" + certainty + ")";
}

std::string RecordCurves::BoundCurve::about() const {
  if (of == Of::kPath) return "The limit holds for certain. ";
  if (of == Of::kMean)
    return "Beside it a closed form of the expected regret: it is about the mean, and a single run may be above it. ";
  return "The limit holds with " + certainty + " certainty at every round at once" +
         (conditional ? ", with each round in the mean over its own draw. " : ". ");
}

std::string RecordCurves::BoundCurve::title() const {
  if (path.empty() && !recorded) return "Behind the best fixed choice";
  return std::string("Behind the best fixed choice, and ") + (of == Of::kMean   ? "what is expected at most"
                                                              : of == Of::kPath ? "the certain limit"
                                                                                : "the " + certainty + " limit");
}

// The chart of the first screen: regret, and the bound in the words that its theorem allows.
void RecordCurves::write_regret(Json& blocks, const BoundCurve& bound) const {
  if (regret_.empty()) return;
  PageChart chart{.title = bound.title(), .about = {}, .alt = {}, .y_name = "loss", .at = {}, .series = {}};
  chart.about = "Loss so far less that of the best fixed choice so far. ";
  if (!bound.path.empty() || bound.recorded) chart.about += bound.about();
  chart.alt = "Regret ends at " + shown(regret_.last());
  chart.series.push_back(series_of("regret", regret_.extremes()));
  if (!bound.path.empty()) {
    PageSeries series{.name = bound.name(), .at = {}, .values = {}};
    for (const auto& [round, value] : bound.path) {
      series.at.push_back(static_cast<double>(round));
      series.values.emplace_back(value);
    }
    chart.about +=
        "Every point of it was derived again by the verifier; where it rests on the leader's own regret, on that of "
        "the "
        "whole run. ";
    chart.alt += ", " + bound.name() + " " + shown(*series.values.back());
    chart.series.push_back(std::move(series));
  } else if (bound.recorded) {
    chart.about += "It is the one recorded for the last round. ";
    chart.alt += ", recorded: " + bound.name() + " " + shown(*bound.recorded);
    chart.series.push_back({.name = bound.name() + ", at the end",
                            .at = {1, static_cast<double>(rounds_)},
                            .values = {bound.recorded, bound.recorded}});
  } else {
    chart.about += "No limit is known for this run. ";
    chart.alt += ", no limit";
  }
  chart.about += thinning();
  chart.alt +=
      ", after " + counted(rounds_, "round") + "; its greatest value is " + shown(greatest(regret_.extremes())) + ".";
  blocks.push_back(chart_block(chart));
}

void RecordCurves::write_losses(Json& blocks) const {
  PageChart chart{
      .title = "Loss a round, so far",
      .about = "The mean loss of the rounds so far: played, and of the choice that is the best fixed one by then.",
      .alt = {},
      .y_name = "loss a round",
      .axis_start = PageChart::AxisStart::kData,
      .at = {},
      .series = {}};
  chart.alt = "The mean loss ends at " + shown(loss_mean_.last());
  chart.series.push_back(series_of("played", loss_mean_.extremes()));
  if (!best_mean_.empty()) {
    chart.series.push_back(series_of("best fixed", best_mean_.extremes()));
    chart.alt += ", that of the best fixed choice at " + shown(best_mean_.last());
  }
  chart.alt += ".";
  blocks.push_back(chart_block(chart));
}

void RecordCurves::write_rate(Json& blocks) const {
  const bool multiplies = !multiplier_.empty();
  const Thinned& rate = multiplies ? multiplier_ : eta_;
  if (rate.empty()) return;
  const std::string name = multiplies ? "noise multiplier" : "learning rate eta";
  const auto points = rate.extremes();
  PageChart chart{.title = multiplies ? "Noise multiplier" : "Learning rate eta",
                  .about = {},
                  .alt = {},
                  .y_name = multiplies ? "1/eta" : "eta",
                  .line = PageChart::Line::kStep,
                  .at = {},
                  .series = {}};
  chart.about = multiplies ? "How much noise is added to the history before the oracle is called; 0 follows the leader."
                           : "Small: much noise. Large: close to the leader.";
  chart.alt = "The " + name + " begins at " + shown(points.front().value) + ", ends at " + shown(points.back().value) +
              " and is at most " + shown(greatest(points)) + ".";
  chart.series.push_back(series_of(name, points));
  blocks.push_back(chart_block(chart));
}

void RecordCurves::write_regime(Json& blocks) const {
  if (!second_share_.empty()) {
    const std::string& name = second_regime_;
    const std::string only = "All rounds were played in the regime " + first_regime_ + ".";
    const std::string width = std::to_string(second_share_.width());
    PageChart chart{.title = "Regime",
                    .about = {},
                    .alt = {},
                    .y_name = "share",
                    .line = PageChart::Line::kStep,
                    .at = {},
                    .series = {}};
    chart.about = name.empty() ? only
                  : second_share_.width() == 1
                      ? "1 where the round was played in the regime " + name + ", 0 in " + first_regime_ + "."
                      : "Share of rounds played in the regime " + name + ", of every " + width +
                            " in a row; the others in " + first_regime_ + ".";
    chart.alt = name.empty()
                    ? only
                    : "Rounds in " + name + ": " +
                          shown(rounded(100 * static_cast<double>(second_rounds_) / static_cast<double>(rounds_))) +
                          " % of all.";
    chart.series.push_back(series_of(name.empty() ? "other" : name, second_share_.means()));
    blocks.push_back(chart_block(chart));
  }
  PageChart chart{.title = "Switches",
                  .about = "Counted up to each round.",
                  .alt = {},
                  .y_name = "count",
                  .line = PageChart::Line::kStep,
                  .at = {},
                  .series = {}};
  if (!switch_path_.empty()) {
    chart.series.push_back(series_of("switches of regime", switch_path_.extremes()));
    chart.alt += "The regime was switched " + counted(switches_, "time") + ". ";
  }
  // A round with a context has an action for each of its segments, and none to follow.
  if (!actions_.change_path().empty()) {
    chart.series.push_back(series_of("changes of action", actions_.change_path().extremes()));
    chart.alt += "The action changed in " + counted(actions_.changes(), "round") + ".";
  }
  if (!chart.series.empty()) blocks.push_back(chart_block(chart));
}

// What drives the learner: summed gaps, or the two estimates of off.
void RecordCurves::write_parts(Json& blocks) const {
  if (parts_.empty()) return;
  const bool estimates = parts_.count("leader") > 0;
  PageChart chart{.title = estimates ? "Estimated regret of both parts" : "Stability",
                  .about = {},
                  .alt = {},
                  .y_name = "loss",
                  .at = {},
                  .series = {}};
  chart.about = estimates
                    ? "They decide which part plays."
                    : "Loss that is due to not knowing the next outcome, summed; it sets the noise and the regime.";
  for (const auto& [name, path] : parts_) {
    chart.series.push_back(series_of(name, path.extremes()));
    chart.alt += (chart.alt.empty() ? "" : ", ") + name + " ends at " + shown(path.last());
  }
  chart.alt += ".";
  blocks.push_back(chart_block(chart));
}

void RecordCurves::write(Json& blocks) const {
  if (rounds_ == 0) return;
  write_losses(blocks);
  write_rate(blocks);
  write_regime(blocks);
  write_parts(blocks);
}

}  // namespace hannan::detail
