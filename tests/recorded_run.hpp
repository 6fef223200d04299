// Records of short runs, and changes to them, for tests of what checks and shows records.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/core/digest.hpp"
#include "hannan/core/error.hpp"
#include "hannan/play/record_writer.hpp"
#include "hannan/runtime/any_problem.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/verify/verifier.hpp"

namespace hannan::detail {

using Lines = std::vector<std::string>;

// An irregular stream without ties: the loss of expert k in round t is a residue over 97, the rounds
// pushing against whoever leads often enough for switching learners to switch.
inline std::vector<double> losses_at(int t, int experts) {
  std::vector<double> y;
  for (int k = 0; k < experts; ++k) y.push_back((t * t * 31 + k * k * 17 + 41 * t * k + 7) % 97 / 97.0);
  return y;
}

struct Played {
  std::string name;
  std::string problem;
  std::string problem_params;
  std::string learner;
  std::string params;
  int rounds = 12;
  bool ties = false;
  double scale = 1, origin = 0;  // of the losses of experts, where their range is unknown
};
inline void PrintTo(const Played& run, std::ostream* out) { *out << run.name; }

inline Json outcome_of(const Played& run, int t) {
  if (run.problem == "finite-game") return Json((t * t + t / 4) % 3);
  auto y = losses_at(t, 4);
  if (run.ties) {
    for (double& loss : y) loss = loss < 0.5 ? 0 : 1;
  }
  for (double& loss : y) loss = run.origin + run.scale * loss;
  return Json(y);
}

inline Lines record(const Played& run) {
  Lines lines;
  RecordWriter writer([&](std::string_view text) { lines.emplace_back(text.substr(0, text.size() - 1)); });
  const auto problem = make_problem(run.problem, parse_json(run.problem_params), "params");
  const auto learner = problem->learner(run.learner, parse_json(run.params));
  writer.begin(*problem, *learner);
  AnyOutcome outcome;
  for (int t = 1; t <= run.rounds; ++t) {
    learner->act();
    problem->game().read_outcome(outcome_of(run, t), "outcome", outcome);
    writer.round(learner->observe(outcome));
  }
  writer.end(*learner);
  return lines;
}

inline Verification verify(const Lines& lines) {
  std::size_t next = 0;
  return verify_record(
      [&](std::string& line) {
        if (next == lines.size()) return false;
        line = lines[next++];
        return true;
      },
      "run.jsonl");
}

inline std::optional<Error> refusal(const Lines& lines) {
  try {
    verify(lines);
  } catch (const Error& e) {
    return e;
  }
  return std::nullopt;
}

// With a digest that fits the lines as they are now.
inline Lines resealed(Lines lines) {
  Digest digest;
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) digest.add(lines[i] + "\n");
  const Json last = parse_json(lines.back());
  if (!last.find("end")) return lines;
  digest.add(dump(last.at("end")));
  lines.back() = dump(Json::object({{"end", last.at("end")}, {"digest", digest.hex()}}));
  return lines;
}

// Replaces `from` in one line by `to`.
inline Lines edited(Lines lines, std::size_t line, const std::string& from, const std::string& to) {
  const auto at = lines[line - 1].find(from);
  EXPECT_NE(at, std::string::npos) << lines[line - 1];
  lines[line - 1].replace(at, from.size(), to);
  return lines;
}

struct Altered {
  std::string path;
  Json value;
};

// Every single change to a value: numbers nudged by 1e-3, words lengthened, flags flipped, null made a
// number, and every element and field taken out; in it at any depth.
inline std::vector<Altered> alterations(const Json& value, const std::string& path) {
  std::vector<Altered> all;
  if (value.is_number()) all.push_back({path, Json(value.as_number() + 1e-3 * std::max(1.0, value.as_number()))});
  if (value.is_string()) all.push_back({path, Json(value.as_string() + "x")});
  if (value.is_bool()) all.push_back({path, Json(!value.as_bool())});
  if (value.is_null()) all.push_back({path, Json(0.5)});
  const auto with = [&](std::size_t at, const Json* inner) {
    Json copy = value.is_array() ? Json::array() : Json::object();
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (i == at && !inner) continue;
      if (value.is_array()) {
        copy.push_back(i == at ? *inner : value[i]);
      } else {
        copy.set(value.as_object()[i].first, i == at ? *inner : value.as_object()[i].second);
      }
    }
    return copy;
  };
  for (std::size_t i = 0; i < value.size(); ++i) {
    const Json& child = value.is_array() ? value[i] : value.as_object()[i].second;
    const std::string name = path + "." + (value.is_array() ? std::to_string(i) : value.as_object()[i].first);
    all.push_back({name + " removed", with(i, nullptr)});
    for (const auto& inner : alterations(child, name)) all.push_back({inner.path, with(i, &inner.value)});
  }
  return all;
}

// Every single change of a record is refused, also under a digest that fits, but for fields that `undetermined(line,
// path)` says nothing else in the record determines: those the digest alone protects.
template <class Undetermined>
void expect_changes_refused(const Lines& lines, const Undetermined& undetermined) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Json line = parse_json(lines[i]);
    for (const auto& altered : alterations(line, "")) {
      Lines changed = lines;
      changed[i] = dump(altered.value);
      // What is refused under a digest that fits is refused under one that does not.
      const bool seal = !altered.path.starts_with(".digest");
      auto e = refusal(seal ? resealed(changed) : changed);
      if (!e) {
        // Headers of before records named their data have no such field.
        EXPECT_TRUE(altered.path == ".data removed" || undetermined(line, altered.path))
            << "line " << i + 1 << altered.path << " became " << dump(altered.value);
        e = refusal(changed);
      }
      ASSERT_TRUE(e) << "line " << i + 1 << altered.path;
      EXPECT_TRUE(e->at().starts_with("run.jsonl:")) << e->what();
    }
  }
}

inline Code code_of(const Lines& lines) {
  const auto e = refusal(lines);
  EXPECT_TRUE(e);
  return e ? e->code() : Code::kInternal;
}

}  // namespace hannan::detail
