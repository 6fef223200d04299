// Which parameters a problem still needs: one is not missing if any of the names in its `unless` was given. The text
// that suggests them has an example and the meaning of each.
#include "hannan/io/problem_help.hpp"

#include <sstream>

namespace hannan::detail {

std::vector<ParameterHelp> missing_parameters(const ProblemHelp& help, const Json& given, ParameterSource source) {
  std::vector<ParameterHelp> missing;
  const bool file = source == ParameterSource::kFile;
  const auto look = [&](const std::vector<ParameterHelp>& parameters) {
    for (const ParameterHelp& parameter : parameters) {
      if (parameter.need == ParameterHelp::Need::kOptional || given.find(parameter.name)) continue;
      std::istringstream others{std::string(parameter.unless)};
      bool replaced = false;
      for (std::string other; others >> other;) replaced = replaced || given.find(other) || (file && other == "--from");
      if (!replaced) missing.push_back(parameter);
    }
  };
  if (file) look(help.file_options);
  look(help.parameters);
  return missing;
}

std::string suggested_text(const std::vector<ParameterHelp>& parameters, std::string_view prefix) {
  std::string text;
  for (const ParameterHelp& parameter : parameters) {
    text += (text.empty() ? "" : ", ") + std::string(prefix) + std::string(parameter.name) + "=" +
            std::string(parameter.example) + " (" + std::string(parameter.about) + ")";
  }
  return text;
}

}  // namespace hannan::detail
