// The races of `hannan bench`, in the order of its table: HANNAN_RACE(name, what it measures). bench/ has a function
// NAME_race for each; the help knows them without it.
HANNAN_RACE(experts, "learners on K = 100 experts from .npy, over their NumPy twins")
HANNAN_RACE(argmin, "the scan over one number per action, over the memory's read bandwidth")
HANNAN_RACE(flat, "time of a round at t = 10^6 over t = 10^3")
HANNAN_RACE(reserves, "eager reserves, over NumPy Hedge and over ourselves without pools")
HANNAN_RACE(search, "branch and bound over Cbc on the same instances")
HANNAN_RACE(proof, "what exact searches of eager reserves leave unproven")
HANNAN_RACE(literal, "over the paper's algorithm to the letter")
HANNAN_RACE(segments, "time of a round with 10^5 segments over 10^2")
HANNAN_RACE(calls, "oracle calls a round on friendly and hostile streams")
HANNAN_RACE(certificate, "time of a round with the certificates of the run over one without")
HANNAN_RACE(python, "play on an array from Python, over the program's own loop")
HANNAN_RACE(robust, "certified mixtures over linear programmes of the whole game")
