// What every command of the program shares: how it is added, and how it speaks.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/io/json.hpp"
#include "hannan/runtime/registry.hpp"

namespace CLI {
class App;
}

namespace hannan::cli {

// Adds a command to the program; running it calls back with the exit status to leave with.
using Run = std::function<void(std::function<int()>)>;
void add_run(CLI::App& app, const Run& run);
void add_simulate(CLI::App& app, const Run& run);
void add_experiment(CLI::App& app, const Run& run);
void add_oracle(CLI::App& app, const Run& run);
void add_show(CLI::App& app, const Run& run);
void add_check(CLI::App& app, const Run& run);
void add_pipe(CLI::App& app, const Run& run);
void add_verify(CLI::App& app, const Run& run);
void add_demo(CLI::App& app, const Run& run);
void add_bound(CLI::App& app, const Run& run);
void add_bench(CLI::App& app, const Run& run);
void add_convert(CLI::App& app, const Run& run);
void add_compare(CLI::App& app, const Run& run);
void add_report(CLI::App& app, const Run& run);

// A check for flags: a whole number, not negative, that fits. Says what is wrong, or nothing.
std::string whole_number(const std::string& text);

// One name of a list in a flag's help and what it is, on lines of its own that fit 100 columns.
std::string help_item(std::string_view name, std::string_view about);

// "name=value" pairs as a JSON object; a value that is not JSON is a word. Later ones win.
Json object_of_pairs(const std::vector<std::string>& pairs, const std::string& flag);
// A JSON file, or an object given outright.
Json read_json_file(const std::string& path);

// The flags that choose and set a learner.
struct LearnerFlags {
  std::string kind = "flipflop";
  std::vector<std::string> set;  // name=value
  std::uint64_t seed = 0;
  std::string track = "every";
  bool kind_given = false, seed_given = false, track_given = false;  // on the command line
  Json params(std::uint64_t run) const;
};
void add_learner_flags(CLI::App& app, LearnerFlags& flags);

// The flags that choose a problem.
struct ProblemFlags {
  std::string kind;
  std::vector<std::string> params;  // name=value
  std::string file;                 // params as a JSON file
  std::string from;                 // a file of the problem's own kind
  Imported read() const;            // the parameters, and the outcomes that `from` holds
  Json json() const { return read().params; }
};
void add_problem_flags(CLI::App& app, ProblemFlags& flags);

}  // namespace hannan::cli
