// Ctrl-C (SIGINT), SIGTERM and SIGHUP end a run between two rounds, so that what it has is kept. SIGHUP stays ignored
// where it was, as under nohup.
#pragma once

namespace hannan::detail::cli {

void catch_interrupts();  // from here on they are noticed instead of ending the program
bool interrupted();
// A file descriptor that becomes readable with the first interrupt, for whoever waits in poll(); -1 before
// catch_interrupts(). Never read from it.
int interrupt_descriptor();

}  // namespace hannan::detail::cli
