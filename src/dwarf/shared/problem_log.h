// SPDX-License-Identifier: Apache-2.0
//
// Collects what an engine could not read, without repetitions. A damaged file
// may have a million problems; only the first ones are kept.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace heapprof {

class ProblemLog {
 public:
  static constexpr size_t kKept = 50;

  void Note(std::string problem) {
    if (problems_.size() < kKept &&
        std::ranges::find(problems_, problem) == problems_.end())
      problems_.push_back(std::move(problem));
  }
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  std::vector<std::string> problems_;
};

}  // namespace heapprof
