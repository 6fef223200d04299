// An oracle that is an object of Python: the package hands over a function of the text of the evidence, which gives
// back (action, floor or None). What it raises becomes an error of the oracle, with the exception as its cause.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "errors.hpp"
#include "hannan/external/own_oracles.hpp"
#include "hannan/io/fields.hpp"
#include "values.hpp"

namespace hannan::detail::python {

// Drops a reference from a thread that may not hold the lock of the interpreter. What is registered outlives the
// interpreter: once that has ended there is no lock to wait for and no object to drop.
inline void let_go(py::object& held) {
  if (Py_IsInitialized() == 0) {
    held.release();
    return;
  }
  const py::gil_scoped_acquire lock;
  held = py::object();
}

class PythonOracle final : public AskedOracle {
 public:
  PythonOracle(std::string name, py::object function, Claims claims)
      : name_("own:" + std::move(name)), function_(std::move(function)), claims_(claims) {}
  ~PythonOracle() override { let_go(function_); }
  PythonOracle(const PythonOracle&) = delete;
  PythonOracle& operator=(const PythonOracle&) = delete;

  const std::string& name() const override { return name_; }
  const Claims& claims() const override { return claims_; }
  Reply ask(const std::string& data) override {
    const py::gil_scoped_acquire lock;
    try {
      const auto answer = function_(data).cast<py::tuple>();
      Reply reply{.action = to_json(answer[0], "action"), .floor = {}};
      if (!answer[1].is_none()) reply.floor = to_number(to_json(answer[1], "floor"), "floor");
      return reply;
    } catch (py::error_already_set& e) {
      keep_cause(e.value());
      throw Error(Code::kOracleEnded, "the oracle raised " + text_of(e), name_);
    } catch (const Error& e) {
      throw Error(Code::kOracleAnswer, "the oracle gave no answer that can be read: " + e.message(), name_);
    }
  }
  [[noreturn]] void refuse(Code code, const std::string& message) override { throw Error(code, message, name_); }

 private:
  std::string name_;
  py::object function_;
  Claims claims_;
};

struct OwnOracle {
  std::string name;
  py::object function;
  AskedOracle::Claims claims;
};
// The function is kept until forget_own_oracle(name).
inline void register_python_oracle(const OwnOracle& given) {
  // Shared between copies of the maker, and let go under the lock of the interpreter.
  const std::shared_ptr<py::object> kept(new py::object(given.function), [](py::object* held) {
    let_go(*held);
    delete held;
  });
  register_own_oracle(given.name, [kept, name = given.name, claims = given.claims] {
    const py::gil_scoped_acquire lock;
    return std::make_unique<PythonOracle>(name, *kept, claims);
  });
}

}  // namespace hannan::detail::python
