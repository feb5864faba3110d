// SPDX-License-Identifier: Apache-2.0
//
// Collects what an engine could not read, without repetitions. A damaged file
// may have a million problems; only the first ones are kept.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heapprof {

// What both engines say about damaged or malicious files.
inline constexpr std::string_view kDamagedDies =
    "its DIEs are damaged; the rest is not read";
inline constexpr std::string_view kTooManyRanges =
    "implausibly many address ranges; the rest is not read";
inline constexpr std::string_view kOverlappingLinePrograms =
    "line programs overlap; the rest is not read";

class ProblemLog {
 public:
  static constexpr size_t kKept = 50;

  void Note(std::string_view problem) {
    if (problems_.size() < kKept &&
        std::ranges::find(problems_, problem) == problems_.end())
      problems_.emplace_back(problem);
  }
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  std::vector<std::string> problems_;
};

}  // namespace heapprof
