// SPDX-License-Identifier: Apache-2.0
//
// Messages for the user that do not end the run. The command line prints them
// after the report. There are two sorts:
//
// Findings are problems, such as malformed lines in a dump or a missing debug
// file. Each kind of finding is counted, but only its first few messages are
// kept. Notes say what the report leaves out, such as rows beyond a limit.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heapprof {

class Diagnostics {
 public:
  // How many messages are kept for each kind of finding.
  static constexpr size_t kKeptPerKind = 3;

  struct Finding {
    std::string kind;  // stable name, e.g. "malformed line"
    size_t count = 0;
    std::vector<std::string> messages;  // the first kKeptPerKind
  };

  // Records one finding of `kind`. `message` is a whole sentence for the user.
  void Warn(std::string_view kind, std::string message);
  // Adds a note unless it is empty or has been added before.
  void Note(std::string message);
  // Adds the findings and notes of `other`, such as those of a worker thread.
  void Merge(const Diagnostics& other);

  const std::vector<Finding>& findings() const { return findings_; }
  const std::vector<std::string>& notes() const { return notes_; }
  bool empty() const { return findings_.empty() && notes_.empty(); }
  // Returns how many findings of `kind` were recorded.
  size_t Count(std::string_view kind) const;

 private:
  Finding& FindOrAdd(std::string_view kind);

  std::vector<Finding> findings_;  // in order of first appearance
  std::vector<std::string> notes_;
};

}  // namespace heapprof
