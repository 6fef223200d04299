// Arguments of Python functions as values, refused by a numbered error that says what was found and what was expected.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/core/near_name.hpp"
#include "hannan/io/fields.hpp"
#include "values.hpp"

namespace hannan::detail::python {

// A file by its name, or any text.
inline std::string text_argument(const py::object& given, const std::string& name) {
  return to_word(to_json(given, name), name);
}
inline std::uint64_t count_argument(const py::object& given, const std::string& name) {
  return static_cast<std::uint64_t>(to_integer(to_json(given, name), name, kNatural));
}
// None: no numbers.
inline std::vector<double> numbers_argument(const py::object& given, const std::string& name) {
  return given.is_none() ? std::vector<double>() : to_numbers(to_json(given, name), name);
}

// The function that is tried last of those with a name, after none of them took the arguments: it says why. The first
// parameter of a method, its object, is not among the names.
inline auto misuse(std::string function, std::vector<std::string> names) {
  return [function = std::move(function), names = std::move(names)](const py::args& args,
                                                                    const py::kwargs& kwargs) -> py::object {
    std::string known;
    for (const std::string& name : names) known += (known.empty() ? "" : ", ") + name;
    for (const auto& [key, value] : kwargs) {
      const std::string name = py::str(key);
      if (std::find(names.begin(), names.end(), name) == names.end())
        throw Error(Code::kUnknownField, "found the argument " + name + ", expected " + known + near_hint(name, names),
                    function);
    }
    const std::size_t given = args.size() + kwargs.size();
    throw Error(Code::kWrongType,
                "found " + std::to_string(given > 0 ? given - 1 : 0) + " arguments that do not fit, expected " + known,
                function);
  };
}

}  // namespace hannan::detail::python
