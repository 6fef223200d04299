// Clp, the simplex solver, loaded when the first linear programme is made.
//
// Few commands solve linear programmes, and the solver brings five libraries of its own (LAPACK and Fortran's among
// them): linked, they would be loaded at every start of the program. The C interface is the one with a stable ABI.
#pragma once

#include <coin/Clp_C_Interface.h>

#include <memory>

// Every function of Clp that is used here, without its prefix.
#define HANNAN_CLP_FUNCTIONS(one)                                                                                      \
  one(newModel) one(deleteModel) one(setLogLevel) one(setPrimalTolerance) one(setDualTolerance) one(setPerturbation)   \
      one(loadProblem) one(addColumns) one(addRows) one(numberRows) one(numberColumns) one(objective) one(rowLower)    \
          one(rowUpper) one(columnLower) one(columnUpper) one(setRowStatus) one(setColumnStatus) one(dual) one(primal) \
              one(status) one(primalColumnSolution) one(dualRowSolution) one(objectiveValue) one(unboundedRay)         \
                  one(freeRay)

namespace hannan::detail {

// clp().primal(model, 0) is Clp_primal(model, 0).
struct Clp {
#define HANNAN_CLP_POINTER(name) \
  decltype(&Clp_##name) name;  // NOLINT(bugprone-macro-parentheses): a name that is declared
  HANNAN_CLP_FUNCTIONS(HANNAN_CLP_POINTER)
#undef HANNAN_CLP_POINTER
};

// Loads the library at the first call; it stays. Throws kUnavailable where it is not installed. Thread-safe.
const Clp& clp();

struct ClpDelete {
  void operator()(Clp_Simplex* model) const { clp().deleteModel(model); }
};
using ClpModel = std::unique_ptr<Clp_Simplex, ClpDelete>;

}  // namespace hannan::detail
