// THE table of learners: one line each, HANNAN_LEARNER(name of its row). The first is the default.
//
// From its line come a learner's name in the program and in the pipe, its parameters, its help text, its place in the
// tests of all learners and its certificate. The source says what the program must know of the learner
// (learners/learner_params.hpp) and how it is made of checked parts; the algorithm is in hannan/learners/. The verifier
// keeps rules of its own (verify/rules/all.hpp), and a test demands a line there.
HANNAN_LEARNER(flipflop)
HANNAN_LEARNER(ada)
HANNAN_LEARNER(gftpl)
HANNAN_LEARNER(off)
HANNAN_LEARNER(leader)
HANNAN_LEARNER(hedge)
HANNAN_LEARNER(adahedge)
HANNAN_LEARNER(flipflop_hedge)
HANNAN_LEARNER(adanormalhedge)
HANNAN_LEARNER(fpl)
HANNAN_LEARNER(uniform_gftpl)
HANNAN_LEARNER(fake_data)
HANNAN_LEARNER(portfolio)
