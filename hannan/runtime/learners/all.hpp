// THE table of learners: one line each, HANNAN_LEARNER(header in runtime/learners/, type). The first is the default.
//
// From its line come a learner's name in the program and in the pipe, its parameters, its help text, its place in the
// tests of all learners and its certificate. The header says what the program must know of the learner
// (runtime/learner_params.hpp) and how it is made of checked parts; the algorithm is in hannan/learners/. The verifier
// keeps a table of its own (verify/learner_rules.cpp), and a test demands a row there. The build reads this file.
HANNAN_LEARNER(flipflop, FlipFlopRow)
HANNAN_LEARNER(ada, AdaRow)
HANNAN_LEARNER(gftpl, GftplRow)
HANNAN_LEARNER(off, OffRow)
HANNAN_LEARNER(leader, LeaderRow)
HANNAN_LEARNER(hedge, HedgeRow)
HANNAN_LEARNER(adahedge, AdaHedgeRow)
HANNAN_LEARNER(flipflop_hedge, FlipFlopHedgeRow)
HANNAN_LEARNER(adanormalhedge, AdaNormalHedgeRow)
HANNAN_LEARNER(fpl, FplRow)
HANNAN_LEARNER(uniform_gftpl, UniformGftplRow)
HANNAN_LEARNER(fake_data, FakeDataRow)
