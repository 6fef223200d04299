// `hannan demo`: a few simulated streams with the default learner beside others, drawn as text; no data needed.
#include <fmt/format.h>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <thread>

#include "command.hpp"
#include "hannan/io/amount_text.hpp"
#include "hannan/play/simulation.hpp"
#include "hannan/report/chart.hpp"
#include "output_file.hpp"

namespace hannan::detail::cli {
namespace {

struct DemoFlags {
  std::string svg;
  bool quiet = false;
};

struct DemoStream {
  std::string name;
  std::string about;
  StreamSpec stream;
};

std::vector<DemoStream> demo_streams() {
  return {{"iid", "one expert is better by 0.1, 10 000 rounds", {.name = "iid", .rounds = 10000}},
          {"small loss", "the best of 64 experts errs 10 times in 10 000", {.name = "small-loss", .rounds = 10000}},
          {"hostile", "two experts, built against following the leader", {.name = "killer", .rounds = 10000}}};
}

std::vector<SimulatedLearner> players(std::uint64_t experts, std::uint64_t rounds) {
  // Hedge with the rate that is best for the worst case of this many rounds.
  const double eta = std::sqrt(8 * std::log(static_cast<double>(experts)) / static_cast<double>(rounds));
  return {
      {.label = "follow the leader", .kind = "leader"},
      {.label = "Hedge, worst-case rate", .kind = "hedge", .params = Json::object({{"rate", "fixed"}, {"eta", eta}})},
      {.label = "Hannan (flipflop)", .kind = "flipflop"}};
}

// The mean of the limits of the runs.
std::optional<double> mean_limit(const SimulatedMean& of) {
  double sum = 0;
  for (const auto& run : of.runs) {
    if (!run.limit) return std::nullopt;
    sum += *run.limit;
  }
  return sum / static_cast<double>(of.runs.size());
}

int demo(const DemoFlags& flags) {
  constexpr std::uint64_t kRuns = 10;
  std::vector<Chart> charts;
  std::vector<std::vector<SimulatedMean>> all;
  for (const auto& shown : demo_streams()) {
    const std::uint64_t experts = make_loss_stream(shown.stream)->experts();
    all.push_back(simulate({.stream = shown.stream,
                            .learners = players(experts, shown.stream.rounds),
                            .runs = kRuns,
                            .threads = std::max(1U, std::thread::hardware_concurrency())}));
    charts.push_back(regret_chart("regret, " + shown.name, all.back(), shown.stream.rounds));
  }
  if (!flags.svg.empty()) write_whole_file(flags.svg, draw_svg({charts[1], charts[2]}));
  if (flags.quiet || flags.svg == "-") return 0;
  fmt::print(
      "Regret = what a learner lost beyond the best fixed choice in hindsight (mean of {} runs, less is better)\n\n",
      kRuns);
  fmt::print("{:<24}", "");
  for (const auto& shown : demo_streams()) fmt::print("{:>14}", shown.name);
  fmt::print("\n");
  for (std::size_t i = 0; i < all.front().size(); ++i) {
    fmt::print("{:<24}", all.front()[i].label);
    for (const auto& means : all) fmt::print("{:>14}", brief(means[i].regret));
    fmt::print("\n");
  }
  fmt::print("{:<24}", "  its limit (95 %)");
  for (const auto& means : all) fmt::print("{:>14}", brief(mean_limit(means.back())));
  fmt::print("\n\n");
  for (const auto& shown : demo_streams()) fmt::print("  {:<11} {}\n", shown.name, shown.about);
  const auto& hostile = all.back();
  const auto left = draw_text(charts[1], 50, 16), right = draw_text(charts[2], 50, 16);
  fmt::print("\n");
  for (std::size_t r = 0; r < left.size(); ++r) fmt::print("{:<52}{}\n", left[r], right[r]);
  fmt::print(
      "\n  * follow the leader   o Hedge, worst-case rate   + Hannan\n\n"
      "Following the leader fails on hostile data; Hedge tuned for the worst case has more regret than needed on\n"
      "friendly data. Hannan is as good as the leader on friendly data. On hostile data it costs {} where Hedge costs\n"
      "{}: {:.1f} times as much, against {} of the leader; -l ada or -l gftpl cost less there. Beside every run stands "
      "the\n"
      "limit that holds with 95 % certainty at every round at once, each round in the mean over its own draw.\n"
      "Next: hannan run experts -d YOUR.csv, or hannan --help.\n",
      brief(hostile[2].regret), brief(hostile[1].regret), hostile[2].regret / hostile[1].regret,
      brief(hostile[0].regret));
  return 0;
}

}  // namespace

void define_demo(Command& command) {
  auto flags = std::make_shared<DemoFlags>();
  command.add("--svg", &flags->svg, "write the picture to this file as well");
  command.add("-q,--quiet", &flags->quiet, "print nothing");
  command.examples = {"hannan demo --svg regret.svg"};
  command.run = [flags] { return demo(*flags); };
}

}  // namespace hannan::detail::cli
