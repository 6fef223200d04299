#include "command.hpp"

#include <CLI/CLI.hpp>

#include <sstream>

#include "hannan/core/error.hpp"
#include "hannan/io/bytes.hpp"
#include "hannan/runtime/learner_params.hpp"
#include "hannan/runtime/registry.hpp"

namespace hannan::cli {

std::string whole_number(const std::string& text) {
  const bool digits = !text.empty() && text.size() <= 18 && text.find_first_not_of("0123456789") == std::string::npos;
  return digits ? "" : "found \"" + text + "\", expected a whole number from 0 on";
}

std::string help_item(std::string_view name, std::string_view about) {
  constexpr std::size_t kWidth = 68;  // what is left of 100 columns beside the flags
  std::istringstream words(std::string(name) + ": " + std::string(about));
  std::string text, line = "\n  ", word;
  while (words >> word) {
    if (line.size() + word.size() > kWidth) {
      text += line;
      line = "\n     ";
    }
    line += " " + word;
  }
  return text + line;
}

Json object_of_pairs(const std::vector<std::string>& pairs, const std::string& flag) {
  Json object = Json::object();
  for (const auto& pair : pairs) {
    const auto equals = pair.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw Error(Code::kUsage, "found \"" + pair + "\", expected name=value", flag);
    }
    const std::string text = pair.substr(equals + 1);
    Json value(text);
    try {
      value = parse_json(text);
    } catch (const Error&) {
      // A plain word, such as one-hot.
    }
    object.set(pair.substr(0, equals), std::move(value));
  }
  return object;
}

Json read_json_file(const std::string& path) {
  const auto source = bytes_of_file(path);
  std::string text;
  char block[1 << 16];
  while (const std::size_t got = source->read(block, sizeof block)) {
    text.append(block, got);
    if (text.size() > (std::size_t{1} << 30))
      throw Error(Code::kTooLarge, "found more than 1 GiB, expected a JSON file", path);
  }
  try {
    return parse_json(text);
  } catch (const Error& e) {
    throw Error(e.code(), e.message(), path + ": " + e.at());
  }
}

Json LearnerFlags::params(std::uint64_t run) const {
  Json params = object_of_pairs(set, "--set");
  if (!params.find("seed")) params.set("seed", seed);
  if (!params.find("run") && run > 0) params.set("run", run);
  if (!params.find("track")) params.set("track", track);
  return params;
}

void add_learner_flags(CLI::App& app, LearnerFlags& flags) {
  std::string kinds;
  for (const auto& kind : learner_kinds()) kinds += help_item(kind.name, kind.about);
  app.add_option("-l,--learner", flags.kind, "who plays:" + kinds)->capture_default_str();
  app.add_option("--set", flags.set,
                 "a learner's parameter, name=value; e.g. --set c=0.5 --set perturbation=one-hot --set noise=lp:2")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
  app.add_option("--seed", flags.seed, "seed of all randomness")->check(whole_number)->capture_default_str();
  app.add_option("--track", flags.track, "when the best action in hindsight is looked for: every round, powers, end")
      ->check(CLI::IsMember({"every", "powers", "end"}))
      ->capture_default_str();
}

Imported ProblemFlags::read() const {
  Json all = file.empty() ? Json::object() : read_json_file(file);
  if (!all.is_object()) throw Error(Code::kWrongType, "found " + describe(all) + ", expected an object", file);
  const Json pairs = object_of_pairs(params, "--param");
  for (const auto& [name, value] : pairs.as_object()) all.set(name, value);
  if (!from.empty()) return import_problem(kind, std::move(all), from);
  return {std::move(all), {}};
}

void add_problem_flags(CLI::App& app, ProblemFlags& flags) {
  std::string kinds, files;
  for (const auto& kind : problem_kinds()) {
    kinds += help_item(kind.name, kind.about);
    if (kind.import) files += help_item(kind.name, kind.file_about);
  }
  app.add_option("problem", flags.kind, "the game:" + kinds)->required();
  app.add_option("--param", flags.params, "a parameter of the problem, name=value; e.g. --param levels=16")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
  app.add_option("--params", flags.file, "the problem's parameters as a JSON file");
  app.add_option("--from", flags.from, "a file that the problem is read from:" + files);
}

}  // namespace hannan::cli
