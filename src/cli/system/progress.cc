// SPDX-License-Identifier: Apache-2.0
#include "cli/system/progress.h"

#include <algorithm>
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
  first_part_.reset();
  part_.reset();
}

void Progress::Count(size_t done, size_t count, double share) {
  const std::scoped_lock lock(mutex_);
  part_ = {done, count, share, Clock::now()};
  if (!first_part_) first_part_ = part_;
}

// The first step does not count for the estimate: it takes longer than others,
// because it opens the binaries.
std::string Progress::Line(Clock::time_point start) const {
  const auto seconds = [](Clock::duration time) {
    return std::chrono::duration<double>(time).count();
  };
  std::string line = stages_.empty() ? "" : stages_.back().name;
  if (part_) line += fmt::format(", {} of {}", part_->done, part_->count);
  line += fmt::format(" ({:.0f} s", seconds(Clock::now() - start));
  if (part_ && part_->share > first_part_->share) {
    const double left = seconds(part_->time - first_part_->time) /
                            (part_->share - first_part_->share) *
                            (1 - part_->share) -
                        seconds(Clock::now() - part_->time);
    line += fmt::format(", about {:.0f} s left", std::max(left, 0.0));
  }
  return line + ')';
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
    std::fputs(fmt::format("{}heapprof: {}", kClearLine, Printable(Line(start)))
                   .c_str(),
               stderr);
    std::fflush(stderr);
    shown = true;
  }
  if (shown) std::fputs(kClearLine, stderr);
  std::fflush(stderr);
}

}  // namespace heapprof
