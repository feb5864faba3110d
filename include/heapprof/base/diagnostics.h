// SPDX-License-Identifier: Apache-2.0
//
// Findings that do not stop the work: lines of a dump that made no sense, a
// debug file that is missing. Every kind is counted, its first few messages
// are kept in order; the command line prints them after the report.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heapprof {

class Diagnostics {
 public:
  // How many messages of one kind are kept; the rest is only counted.
  static constexpr size_t kKeptPerKind = 3;

  struct Finding {
    std::string kind;  // stable name, e.g. "malformed line"
    size_t count = 0;
    std::vector<std::string> messages;  // the first kKeptPerKind
  };

  // Notes one finding of `kind`. `message` is a whole sentence for the user.
  void Warn(std::string_view kind, std::string message);
  // Appends what another collector has seen, e.g. that of a worker thread.
  void Merge(const Diagnostics& other);

  const std::vector<Finding>& findings() const { return findings_; }
  bool empty() const { return findings_.empty(); }
  // How often `kind` was noted.
  size_t Count(std::string_view kind) const;

 private:
  Finding& Entry(std::string_view kind);

  std::vector<Finding> findings_;  // in order of first appearance
};

}  // namespace heapprof
