// SPDX-License-Identifier: Apache-2.0
//
// Shows the current stage of a long run on a terminal, and how long each stage
// took.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
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

  // Says how far the current stage is: `done` of `count` steps, which are this
  // `share` of its work, from 0 to 1. From the second call on, the line says
  // how long the rest will take.
  void Count(size_t done, size_t count, double share);

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

  struct Part {
    size_t done = 0;
    size_t count = 0;
    double share = 0;
    Clock::time_point time;
  };

  std::string Line(Clock::time_point start) const;

  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<Stage> stages_;
  std::optional<Part> first_part_, part_;  // of the current stage
  std::jthread thread_;
};

}  // namespace heapprof
