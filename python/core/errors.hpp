// Errors of the library as exceptions of Python: hannan.Error and its subclasses, with code, at and message.
#pragma once

#include <pybind11/pybind11.h>

#include <exception>
#include <string>
#include <utility>

#include "hannan/core/error.hpp"

namespace hannan::detail::python {

namespace py = pybind11;

// The exception classes; made once, when the module is imported, and never freed.
struct ErrorClasses {
  PyObject* error = nullptr;
  PyObject* usage = nullptr;
  PyObject* data = nullptr;
  PyObject* limit = nullptr;
  PyObject* oracle = nullptr;

  PyObject* of(Code code) const {
    if (code == Code::kWorkLimit || code == Code::kTooLarge) return limit;
    const int number = static_cast<int>(code);
    if (number >= 100 && number < 200) return usage;
    if (number >= 200 && number < 700) return data;
    if (number >= 700 && number < 800) return oracle;
    return error;
  }
};

inline ErrorClasses& error_classes() {
  static ErrorClasses classes;
  return classes;
}

// What code of the user's own has raised in this thread, until the error that it became reaches the caller. A plain
// pointer: a thread may end, or the interpreter be gone, without the lock that dropping a reference needs.
inline PyObject*& kept_cause() {
  static thread_local PyObject* kept = nullptr;
  return kept;
}
inline void keep_cause(py::object cause) { Py_XDECREF(std::exchange(kept_cause(), cause.release().ptr())); }

// "ValueError: what it says".
inline std::string text_of(const py::error_already_set& e) {
  return std::string(py::str(e.type().attr("__name__"))) + ": " + std::string(py::str(e.value()));
}
// An exception of the package as the error that it stands for.
inline Error error_of(const py::object& raised) {
  const std::string code = py::str(raised.attr("code"));
  return Error(static_cast<Code>(std::stoi(code.substr(1))), py::str(raised.attr("message")),
               py::str(raised.attr("at")));
}

// The function of the package that says a message of the library in words of Python: arguments for flags. Set once,
// when the package is imported, and never freed.
inline PyObject*& words_of_python() {
  static PyObject* words = nullptr;
  return words;
}
inline std::string in_words_of_python(const std::string& text) {
  if (!words_of_python() || text.find('-') == std::string::npos) return text;
  return py::str(py::reinterpret_borrow<py::object>(words_of_python())(text));
}

inline void raise_error(const Error& raised) {
  const Error e(raised.code(), in_words_of_python(raised.message()), in_words_of_python(raised.at()));
  const auto cause = py::reinterpret_steal<py::object>(std::exchange(kept_cause(), nullptr));
  const bool of_oracle = static_cast<int>(e.code()) / 100 == 7;
  // An interrupt is no failure of the oracle.
  if (of_oracle && cause && !PyObject_IsInstance(cause.ptr(), PyExc_Exception)) {
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(cause.ptr())), cause.ptr());
    return;
  }
  PyObject* type = error_classes().of(e.code());
  const py::object made = py::reinterpret_borrow<py::object>(type)(std::string(e.what()));
  made.attr("code") = code_name(e.code());
  made.attr("at") = e.at();
  made.attr("message") = e.message();
  if (of_oracle && cause) PyException_SetCause(made.ptr(), py::object(cause).release().ptr());
  PyErr_SetObject(type, made.ptr());
}

inline void define_errors(py::module_& module) {
  const auto make = [&](const char* name, py::handle bases, const char* about) {
    const std::string full = std::string("hannan.") + name;
    PyObject* made = PyErr_NewExceptionWithDoc(full.c_str(), about, bases.ptr(), nullptr);
    if (!made) throw py::error_already_set();
    module.attr(name) = py::reinterpret_borrow<py::object>(made);
    return made;
  };
  ErrorClasses& classes = error_classes();
  classes.error =
      make("Error", PyExc_Exception, "What went wrong: `code` (docs/errors.md), `at` (the place) and `message`.");
  const auto with = [&](PyObject* other) { return py::make_tuple(py::handle(classes.error), py::handle(other)); };
  classes.usage = make("UsageError", with(PyExc_ValueError), "A call that cannot be served: codes H1xx.");
  classes.data = make("DataError", with(PyExc_ValueError), "Data, a state or a record at fault: codes H2xx to H6xx.");
  classes.limit = make("LimitError", with(PyExc_RuntimeError), "A stated limit was reached: H208 and H501.");
  classes.oracle = make("OracleError", with(PyExc_RuntimeError), "An oracle of the user's own failed: codes H7xx.");
  py::register_exception_translator([](std::exception_ptr caught) {
    try {
      if (caught) std::rethrow_exception(caught);
    } catch (const Error& e) {
      raise_error(e);
    }
  });
}

}  // namespace hannan::detail::python
