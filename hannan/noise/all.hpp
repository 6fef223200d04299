// THE list of noise laws: one line each, HANNAN_NOISE(header in noise/, type).
//
// From its line come a law's name in the program and in the pipe, its place in error messages and in what `hannan
// check` looks at, and its tests (noise_test.cpp). The build reads this file and writes the table from it
// (noise_kinds.cpp.in).
HANNAN_NOISE(laplace, Laplace)
HANNAN_NOISE(exponential, Exponential)
HANNAN_NOISE(exponential, CentredExponential)
HANNAN_NOISE(lp_ball, LpBall)
HANNAN_NOISE(uniform, Uniform)
