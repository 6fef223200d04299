// THE table of commands: one line per command, HANNAN_COMMAND(name, what it does). A command is this line and its
// file NAME.cpp, which defines `void define_NAME(Command& command)`: it adds the flags and says what to run.
// From its definition come its help, its manual page and its completion. A hidden command has none of them.
HANNAN_COMMAND(run, "play a learner on recorded outcomes")
HANNAN_COMMAND(simulate, "play learners on a simulated stream, or write one to a file")
HANNAN_COMMAND(experiment, "play a plan of problems, streams, learners and seeds")
HANNAN_COMMAND(oracle, "the best action in hindsight")
HANNAN_COMMAND(show, "a problem as it is read: its size, its oracles, its parameters by number")
HANNAN_COMMAND(check, "what a perturbation promises, and whether it is true")
HANNAN_COMMAND(pipe, "answer JSON lines from standard input on standard output")
HANNAN_COMMAND(verify, "check the record of a run from scratch")
HANNAN_COMMAND(bound, "evaluate a regret bound")
HANNAN_COMMAND(bench, "one signature of all behaviour, and speed as ratios against rivals")
HANNAN_COMMAND(convert, "turn a bid log into outcomes in [0,1], one round a row")
HANNAN_COMMAND(compare, "play learners and simple rivals on the same outcomes, in money")
HANNAN_COMMAND(report, "write one HTML page about runs, comparisons and experiments")
HANNAN_COMMAND(serve, "decisions for live systems over HTTP, with every outcome on disk")
HANNAN_COMMAND(demo, "three streams, three learners: one table and one picture")
HANNAN_HIDDEN_COMMAND(generate, "write the manual pages and the completion for shells into a folder")
