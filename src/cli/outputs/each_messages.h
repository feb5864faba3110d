// SPDX-License-Identifier: Apache-2.0
//
// The messages about many dumps, of a run with --each, or many processes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "heapprof/base/diagnostics.h"

namespace heapprof {

// Collects the messages in the order of the dumps. Of each damaged dump, one
// line says what is missing or wrong. Other messages that differ at most in
// numbers are said of the first dump only, with the number of other dumps.
class EachMessages {
 public:
  // With `all`, every message about every dump is said. `one` and `several` are
  // literals for what has the messages, if that is not dumps.
  explicit EachMessages(bool all, std::string_view one = "more dump",
                        std::string_view several = "more dumps")
      : all_(all), one_(one), several_(several) {}

  void Add(const std::string& dump, const Diagnostics& diagnostics);

  std::vector<std::string> Take() &&;

 private:
  struct Message {
    std::string text;
    size_t others = 0;  // dumps with such a message
  };

  void AddDamage(const std::string& dump, const Diagnostics& diagnostics);
  void AddMessage(const std::string& dump, const std::string& message,
                  std::string_view prefix);

  bool all_;
  std::string_view one_;
  std::string_view several_;
  std::vector<Message> messages_;
  std::unordered_map<std::string, size_t> similar_;  // indices of messages_
};

}  // namespace heapprof
