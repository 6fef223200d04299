#include <cstdio>
#include <iostream>
#include <string>
#include "hannan/engine/pipe.hpp"
int main() {
  hannan::Pipe pipe;
  std::string line;
  while (std::getline(std::cin, line)) std::cout << pipe.answer_line(line) << "\n" << std::flush;
}
