// A line on standard error where learners take long before the first round: they measure the size of their noise by
// searches (hannan/certify/noise_size.hpp), which with an expensive search takes minutes.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

namespace hannan::detail::cli {

class PreparingNote {
 public:
  PreparingNote();
  void playing();  // the first round has begun: nothing is printed from here on

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool playing_ = false;
  std::jthread thread_;  // the last member: it uses the others, and ends before them
};

}  // namespace hannan::detail::cli
