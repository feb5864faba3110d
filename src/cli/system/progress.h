// SPDX-License-Identifier: Apache-2.0
//
// Shows the current stage of a long run on a terminal, and how long each stage
// took.
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
  // After one second, starts to update a line on standard error. Writes nothing
  // unless `enabled`.
  explicit Progress(bool enabled);
  ~Progress() { Stop(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Starts `stage`, a literal such as "naming the frames".
  void Enter(const char* stage);

  // Returns the stages so far with their times: "reading the profile 3 ms,
  // naming the frames 12 ms".
  std::string Times() const;

  // Stops the updates and clears the line. Call this before other output.
  void Stop();

 private:
  void Show(const std::stop_token& stop);

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
