// SPDX-License-Identifier: Apache-2.0
#include "cli/system/progress.h"

#include <cstdio>
#include <system_error>

#include <fmt/format.h>

#include "cli/system/emergency_exit.h"
#include "heapprof/base/printable.h"

namespace heapprof {
namespace {

constexpr std::chrono::seconds kPatience{1};
constexpr std::chrono::milliseconds kInterval{250};
constexpr const char* kClearLine = "\r\x1b[K";

}  // namespace

Progress::Progress(bool enabled) {
  if (!enabled) return;
  try {
    thread_ = std::jthread([this](const std::stop_token& stop) { Show(stop); });
  } catch (const std::system_error&) {
    // If no thread can be started, the run goes on without a progress line.
  }
}

void Progress::Enter(const char* stage) {
  NoteStage(stage);
  const std::scoped_lock lock(mutex_);
  stages_.push_back({stage, Clock::now()});
}

std::string Progress::Times() const {
  const std::scoped_lock lock(mutex_);
  std::string times;
  for (size_t i = 0; i < stages_.size(); ++i) {
    const Clock::time_point end =
        i + 1 < stages_.size() ? stages_[i + 1].start : Clock::now();
    const std::chrono::duration<double, std::milli> passed =
        end - stages_[i].start;
    times += fmt::format("{}{} {:.1f} ms", times.empty() ? "" : ", ",
                         stages_[i].name, passed.count());
  }
  return times;
}

void Progress::Stop() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
}

void Progress::Show(const std::stop_token& stop) {
  const auto start = Clock::now();
  std::unique_lock lock(mutex_);
  const auto never = [] { return false; };
  changed_.wait_for(lock, stop, kPatience, never);
  bool shown = false;
  for (; !stop.stop_requested();
       changed_.wait_for(lock, stop, kInterval, never)) {
    const std::chrono::duration<double> passed = Clock::now() - start;
    fmt::print(stderr, "{}heapprof: {} ({:.0f} s)", kClearLine,
               Printable(stages_.empty() ? "" : stages_.back().name),
               passed.count());
    std::fflush(stderr);
    shown = true;
  }
  if (shown) fmt::print(stderr, "{}", kClearLine);
  std::fflush(stderr);
}

}  // namespace heapprof
