#include <fmt/format.h>
#include <cmath>
#include <cstdio>
#include <memory>
#include <thread>

#include "command.hpp"
#include "hannan/play/simulation.hpp"
#include "hannan/report/chart.hpp"
#include "output_file.hpp"
#include "progress.hpp"

namespace hannan::cli {
namespace {

struct DemoFlags {
  std::string svg;
  bool quiet = false;
};

struct Weather {
  std::string name;
  std::string about;
  StreamSpec stream;
};

std::vector<Weather> weathers() {
  return {{"iid", "one expert is better by 0.1, 10 000 rounds", {.name = "iid", .rounds = 10000}},
          {"small loss", "the best of 64 experts errs 10 times in 10 000", {.name = "small-loss", .rounds = 10000}},
          {"hostile", "two experts, built to fool whoever follows the leader", {.name = "killer", .rounds = 10000}}};
}

std::vector<SimulatedLearner> players(std::uint64_t experts, std::uint64_t rounds) {
  // Hedge with the rate that is best for the worst case of this many rounds.
  const double eta = std::sqrt(8 * std::log(static_cast<double>(experts)) / static_cast<double>(rounds));
  return {
      {.label = "follow the leader", .kind = "leader"},
      {.label = "Hedge, worst-case rate", .kind = "hedge", .params = Json::object({{"rate", "fixed"}, {"eta", eta}})},
      {.label = "Hannan (flipflop)", .kind = "flipflop"}};
}

int demo(const DemoFlags& flags) {
  constexpr std::uint64_t kRuns = 10;
  std::vector<Chart> charts;
  std::vector<std::vector<SimulatedMean>> all;
  for (const auto& weather : weathers()) {
    const std::uint64_t experts = make_loss_stream(weather.stream)->experts();
    all.push_back(simulate({.stream = weather.stream,
                            .learners = players(experts, weather.stream.rounds),
                            .runs = kRuns,
                            .threads = std::max(1U, std::thread::hardware_concurrency())}));
    charts.push_back(regret_chart("regret, " + weather.name, all.back(), weather.stream.rounds));
  }
  if (!flags.svg.empty()) write_whole_file(flags.svg, draw_svg({charts[1], charts[2]}));
  if (flags.quiet || flags.svg == "-") return 0;
  fmt::print(
      "Regret = what a learner lost beyond the best fixed choice in hindsight (mean of {} runs, less is better)\n\n",
      kRuns);
  fmt::print("{:<24}", "");
  for (const auto& weather : weathers()) fmt::print("{:>14}", weather.name);
  fmt::print("\n");
  for (std::size_t i = 0; i < all.front().size(); ++i) {
    fmt::print("{:<24}", all.front()[i].label);
    for (const auto& means : all) fmt::print("{:>14}", brief(means[i].regret));
    fmt::print("\n");
  }
  fmt::print("{:<24}", "  its proven bound");
  for (const auto& means : all) fmt::print("{:>14}", brief(means.back().bound));
  fmt::print("\n\n");
  for (const auto& weather : weathers()) fmt::print("  {:<11} {}\n", weather.name, weather.about);
  const auto left = draw_text(charts[1], 50, 16), right = draw_text(charts[2], 50, 16);
  fmt::print("\n");
  for (std::size_t r = 0; r < left.size(); ++r) fmt::print("{:<52}{}\n", left[r], right[r]);
  fmt::print(
      "\n  * follow the leader   o Hedge, worst-case rate   + Hannan\n\n"
      "Following the leader is fooled by hostile data; Hedge tuned for the worst case pays for it on friendly\n"
      "data. Hannan follows the leader where that is good, does not where it is not, and states a bound beside every "
      "run.\n"
      "Next: hannan run experts -d YOUR.csv, or hannan --help.\n");
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

}  // namespace hannan::cli
