// What several commands share: flags that choose a problem and a learner, and name=value pairs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "flags.hpp"
#include "hannan/io/json.hpp"
#include "hannan/learners/learner_params.hpp"
#include "hannan/runtime/registry.hpp"

namespace hannan::detail::cli {

// "name=value" pairs as a JSON object; a value that is not JSON is a word. Later ones win.
Json object_of_pairs(const std::vector<std::string>& pairs, const std::string& flag);
// A JSON file, or an object given outright.
Json read_json_file(const std::string& path);

// The flags that choose and set a learner.
struct LearnerFlags {
  std::string kind = default_learner();
  std::vector<std::string> set;  // name=value
  std::uint64_t seed = 0;
  std::string track = "every";
  bool kind_given = false, seed_given = false, track_given = false;  // on the command line
  std::string name() const;                                          // of the kind, without parameters behind it
  std::string feedback{}, look{};                                    // empty: as the parameters say
  Json params(std::uint64_t run) const;

 private:
  void set_feedback(Json& params) const;
};
void add_learner_flags(Command& command, LearnerFlags& flags);

// The flags that choose a problem.
struct ProblemFlags {
  std::string kind;
  std::vector<std::string> params;  // name=value
  std::string file;                 // params as a JSON file
  std::string from;                 // a file of the problem's own kind
  std::string prices{};             // the parameter of that name
  std::string missing{};            // what a missing loss is; empty: as the parameters say
  std::vector<std::string> drop{};  // columns of the data, or of `from`, that are left out
  bool losses = false;              // a table of losses is one, whatever it looks like
  std::string labels{};             // the file of labels beside `from`
  std::string decided{};            // the column of `from` with what was decided
  Imported read() const;            // the parameters, and the outcomes that `from` holds
  Json json() const { return read().params; }
};
void add_problem_flags(Command& command, ProblemFlags& flags);
// Those about the columns of its data.
void add_column_flags(Command& command, ProblemFlags& flags);

}  // namespace hannan::detail::cli
