// Experts from a .npy file: each learner from opening the file to the last round, over the same rule as a
// plain NumPy loop (rivals/experts_loops.py), which loads the file and loops over its rows.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <fstream>

#include "bench/rival.hpp"
#include "bench/row.hpp"
#include "bench/stopwatch.hpp"
#include "hannan/core/error.hpp"
#include "hannan/io/table.hpp"
#include "hannan/play/play.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/streams/loss_stream.hpp"

namespace hannan::detail::bench {
namespace {

constexpr std::uint64_t kExperts = 100;

// Format 1.0, little-endian doubles in C order.
void write_npy(const std::string& path, LossStream& stream) {
  std::string header =
      fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, {}), }}", stream.rounds(), stream.experts());
  header.append(63 - (header.size() + 10) % 64, ' ');
  header += '\n';
  std::ofstream file(path, std::ios::binary);
  file.write("\x93NUMPY\x01\x00", 8);
  const char size[2] = {static_cast<char>(header.size() & 255), static_cast<char>(header.size() >> 8)};
  file.write(size, 2);
  file.write(header.data(), static_cast<std::streamsize>(header.size()));
  std::vector<double> row(stream.experts());
  for (std::uint64_t t = 1; t <= stream.rounds(); ++t) {
    stream.losses(t, row);
    file.write(reinterpret_cast<const char*>(row.data()), static_cast<std::streamsize>(row.size() * sizeof(double)));
  }
  if (!file.flush()) throw Error(Code::kCannotWrite, "the losses of the benchmark could not be written", path);
}

// "read" plays nothing: it is what no learner can go below.
double play_file(const std::string& path, const std::string& learner_kind) {
  const auto problem = make_problem("experts", Json::object({{"experts", kExperts}}), "bench");
  const auto source = table_source(open_table(path), problem->game());
  if (learner_kind == "read") {  // every round starts with it
    while (source->skip()) {
    }
    return 0;
  }
  const auto learner = problem->learner(learner_kind, Json::object({{"track", "end"}}));
  play(*learner, *source, {}, std::numeric_limits<std::uint64_t>::max());
  return learner->facts().total;
}

}  // namespace

// Learners with noise draw other noise in NumPy, so only rules without noise must have the same total.
std::vector<Row> experts_race(const Setting& setting) {
  const std::uint64_t rounds = setting.pick<std::uint64_t>(100'000, 500);
  const int times = setting.pick(5, 1);  // for both sides
  const std::string path = setting.scratch + "/losses.npy";
  write_npy(path, *make_loss_stream({.name = "iid", .experts = kExperts, .rounds = rounds, .key = {.seed = 3}}));

  std::vector<Row> rows;
  for (const char* kind : {"read", "leader", "gftpl", "ada", "flipflop", "adahedge", "flipflop-hedge"}) {
    setting.say(std::string("experts: ") + kind);
    double total = 0;
    const double seconds = least_seconds(times, [&] { total = play_file(path, kind); });
    const Json twin =
        ask_rival(setting, {.program = "experts_loops.py",
                            .question = Json::object({{"file", path}, {"learner", kind}, {"times", times}})});
    const auto n = static_cast<double>(rounds);
    Row row{.name = std::string("experts/") + kind,
            .unit = "rounds/s",
            .ours = n / seconds,
            .rival = {},
            .goal = Goal{.ratio = 10},
            .note = {}};
    const bool reading = kind == std::string_view("read");
    if (reading) row.goal.reset();
    if (const Json* error = twin.find("error")) {
      row.note = error->as_string();
    } else {
      row.rival = n / twin.at("seconds").as_number();
      row.note = reading ? "reading and checking the file, np.load; what the others cannot go below"
                         : fmt::format("NumPy {}, K = {}, T = {}, file included", kind, kExperts, rounds);
      // Rules without noise must agree to rounding, or one of the two is not the rule.
      const bool same = std::abs(twin.at("total").as_number() - total) <= 1e-6 * (1 + total);
      const bool noisy = reading || twin.at("noisy").as_bool();
      if (!noisy) row.note += same ? ", same total loss" : ", ANOTHER TOTAL LOSS";
    }
    rows.push_back(std::move(row));
  }
  std::remove(path.c_str());
  return rows;
}

}  // namespace hannan::detail::bench
