// The conversation with an oracle that is a program of the user's (docs/external-oracle.md).
//
//   we:  {"hello":"hannan oracle","version":1,"problem":{"kind":K,"params":{...}}}
//   it:  {"ready":true,"signed":false,"exact":false}
//   we:  {"id":1,"data":[{"weight":w,"outcome":Y},...]}
//   it:  {"id":1,"action":A,"floor":v}
//
// One line each way and call. Whatever is wrong with an answer is one Error; the program is then ended, and
// the next call starts it again. Its answers are only read here; what they are worth is decided in
// external_oracle.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "hannan/core/error.hpp"
#include "hannan/external/asked_oracle.hpp"
#include "hannan/io/child_process.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

// "external:COMMAND", or "external@SECONDS:COMMAND" with a time limit for each call.
bool is_external(std::string_view oracle);
// Throws what is wrong with such a name, and starts nothing. `path` is the field it stands in.
void check_external_name(std::string_view name, std::string_view path);

class ExternalProgram final : public AskedOracle {
 public:
  // Starts the program and waits until it is ready. `path` is the field the name stands in, for
  // complaints about the name itself.
  ExternalProgram(std::string name, Json problem, std::string_view path);

  const Claims& claims() const override { return claims_; }
  const std::string& name() const override { return name_; }
  Reply ask(const std::string& data) override;
  // The program is ended, and what it wrote to its standard error is quoted.
  [[noreturn]] void refuse(Code code, const std::string& message) override;

 private:
  void start();
  Claims greet();
  std::string exchange(const std::string& line);

  std::string name_;
  ChildProcess::Setting setting_;
  std::string hello_;
  Claims claims_;
  std::uint64_t asked_ = 0;
  std::unique_ptr<ChildProcess> child_;  // null after a failure
};

}  // namespace hannan::detail
