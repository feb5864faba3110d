// SPDX-License-Identifier: Apache-2.0
//
// Says on a terminal what a run that takes long is at, and in the end where the
// time went.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace heapprof {

class Progress {
 public:
  // Writes one line to standard error, over and over, from one second on.
  // Nothing at all unless `enabled`.
  explicit Progress(bool enabled);
  ~Progress() { Stop(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // From now on the run is at `stage`, a literal such as "naming the frames".
  void Enter(const char* stage);

  // "reading the profile 3 ms, naming the frames 12 ms": the stages until now.
  std::string Times() const;

  // Clears the line. To be called before anything else is written.
  void Stop();

 private:
  void Show(std::stop_token stop);

  using Clock = std::chrono::steady_clock;
  struct Stage {
    const char* name;
    Clock::time_point start;
  };

  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<Stage> stages_;
  std::jthread thread_;
};

}  // namespace heapprof
