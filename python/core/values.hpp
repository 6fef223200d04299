// Between Python values and JSON, without text in between.
//
// Whole numbers of JSON become int, others float: what json.loads makes of the text that the program prints.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cmath>
#include <string>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail::python {

namespace py = pybind11;

inline py::object from_json(const Json& json) {
  if (json.is_null()) return py::none();
  if (json.is_bool()) return py::bool_(json.as_bool());
  if (json.is_string()) return py::str(json.as_string());
  if (json.is_number()) {
    const double number = json.as_number();
    if (number == std::floor(number) && std::abs(number) <= 0x1p53) return py::int_(static_cast<long long>(number));
    return py::float_(number);
  }
  if (json.is_array()) {
    py::list list(json.size());
    for (std::size_t i = 0; i < json.size(); ++i) list[i] = from_json(json[i]);
    return list;
  }
  py::dict dict;
  for (const auto& [name, value] : json.as_object()) dict[py::str(name)] = from_json(value);
  return dict;
}

inline Json to_json(py::handle value, const std::string& path, int depth = 0);

inline Json number_json(double number, const std::string& path) {
  if (std::isnan(number)) throw Error(Code::kNotANumber, "found NaN, expected a number", path);
  return Json(number);
}

inline Json integer_json(py::handle value, const std::string& path) {
  const auto integer = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  if (!integer) throw py::error_already_set();
  const double number = PyLong_AsDouble(integer.ptr());
  const bool beyond = number == -1 && PyErr_Occurred();  // the range of double
  PyErr_Clear();
  if (beyond || !(std::abs(number) <= 0x1p53))
    throw Error(Code::kOutOfRange, "found " + std::string(py::str(value)) + ", expected a whole number of at most 2^53",
                path);
  return Json(number);
}

inline Json list_json(py::handle value, const std::string& path, int depth) {
  const auto items = py::reinterpret_steal<py::object>(PySequence_Fast(value.ptr(), "expected a sequence"));
  if (!items) throw py::error_already_set();
  Json::Array list;
  const Py_ssize_t size = PySequence_Fast_GET_SIZE(items.ptr());
  list.reserve(static_cast<std::size_t>(size));
  for (Py_ssize_t i = 0; i < size; ++i) {
    const py::handle item = PySequence_Fast_GET_ITEM(items.ptr(), i);
    // The path of an item is put together only where the item is no plain number.
    if (PyFloat_CheckExact(item.ptr()) && !std::isnan(PyFloat_AS_DOUBLE(item.ptr()))) {
      list.emplace_back(PyFloat_AS_DOUBLE(item.ptr()));
    } else {
      list.push_back(to_json(item, path + "[" + std::to_string(i) + "]", depth + 1));
    }
  }
  return Json(std::move(list));
}

// Keys must be text, as in JSON; the order of the dict is kept.
inline Json object_json(py::handle value, const std::string& path, int depth) {
  Json object = Json::object();
  for (const auto& [key, item] : py::reinterpret_borrow<py::dict>(value)) {
    if (!py::isinstance<py::str>(key))
      throw Error(Code::kWrongType, "found the key " + std::string(py::repr(key)) + ", expected text", path);
    const std::string name = py::str(key);
    object.set(name, to_json(item, path.empty() ? name : path + "." + name, depth + 1));
  }
  return object;
}

// None, bool, int, float, str, list, tuple, dict, and whatever NumPy makes of them. Throws kWrongType for anything
// else, kNotANumber for NaN; `path` names the value.
inline Json to_json(py::handle value, const std::string& path, int depth) {
  if (depth > kMaxJsonDepth) throw Error(Code::kWrongType, "found values nested too deep", path);
  if (value.is_none()) return Json();
  if (PyBool_Check(value.ptr())) return Json(value.ptr() == Py_True);
  if (PyFloat_Check(value.ptr())) return number_json(PyFloat_AS_DOUBLE(value.ptr()), path);
  if (py::isinstance<py::str>(value)) return Json(std::string(py::str(value)));
  if (PyDict_Check(value.ptr())) return object_json(value, path, depth);
  if (PyList_Check(value.ptr()) || PyTuple_Check(value.ptr())) return list_json(value, path, depth);
  if (PyIndex_Check(value.ptr()) && !py::isinstance<py::array>(value)) return integer_json(value, path);
  if (py::hasattr(value, "tolist")) {  // arrays and scalars of NumPy, series of pandas
    const py::object plain = value.attr("tolist")();
    if (!plain.is(py::reinterpret_borrow<py::object>(value))) return to_json(plain, path, depth + 1);
  }
  if (py::hasattr(value, "__iter__") && py::hasattr(value, "__len__")) return list_json(value, path, depth);
  throw Error(Code::kWrongType,
              "found a value of type " + std::string(py::str(py::type::of(value).attr("__name__"))) +
                  ", expected a number, text, a list or a dict",
              path);
}

}  // namespace hannan::detail::python
