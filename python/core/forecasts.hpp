// The part of the module that combines forecasts.
#pragma once

#include <pybind11/pybind11.h>

namespace hannan::detail::python {

namespace py = pybind11;

// combine_file() and the class Combiner.
void define_forecasts(py::module_& module);

}  // namespace hannan::detail::python
