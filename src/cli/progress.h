// SPDX-License-Identifier: Apache-2.0
//
// Says on a terminal what a run that takes long is at.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace heapprof {

class Progress {
 public:
  // Writes one line to standard error, over and over, from one second on.
  // Nothing at all unless `enabled`.
  explicit Progress(bool enabled);
  ~Progress() { Stop(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // From now on the run is at `stage`, such as "reading app.heap".
  void Enter(std::string stage);

  // Clears the line. To be called before anything else is written.
  void Stop();

 private:
  void Show(std::stop_token stop);

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::string stage_;
  std::jthread thread_;
};

}  // namespace heapprof
