// Ctrl-C and a polite kill end a run between two rounds, so that what it has is kept.
#pragma once

namespace hannan::cli {

void catch_interrupts();  // from here on they are noticed instead of ending the program
bool interrupted();

}  // namespace hannan::cli
