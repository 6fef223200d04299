// Who answers for an oracle of the user's own: a program (external_program.hpp), or code in this very process
// (own_oracles.hpp). Its answers are audited in external_oracle.hpp, whoever gives them.
#pragma once

#include <optional>
#include <string>

#include "hannan/core/error.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

class AskedOracle {
 public:
  struct Claims {
    bool takes_negative_weights = false;
    bool exact = false;  // every answer is a minimiser
    friend bool operator==(const Claims&, const Claims&) = default;
  };
  struct Reply {
    Json action;
    std::optional<double> floor;
  };

  virtual ~AskedOracle() = default;
  virtual const std::string& name() const = 0;
  virtual const Claims& claims() const = 0;
  // `data` is the text of the list of weighted outcomes: [{"weight":w,"outcome":Y},...].
  virtual Reply ask(const std::string& data) = 0;
  // Complaints about the last answer.
  [[noreturn]] virtual void refuse(Code code, const std::string& message) = 0;
};

}  // namespace hannan::detail
