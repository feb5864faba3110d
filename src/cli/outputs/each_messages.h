// SPDX-License-Identifier: Apache-2.0
//
// The messages about the dumps of a run with --each.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "heapprof/base/diagnostics.h"

namespace heapprof {

// Returns `message` with the path of the dump before it, unless it already
// begins with that path.
std::string AboutDump(const std::string& dump, const std::string& message);

// Collects the messages in the order of the dumps. Of each damaged dump, one
// line says what is missing or wrong. Other messages that differ at most in
// numbers are said of the first dump only, with the number of other dumps.
class EachMessages {
 public:
  // With `all`, every message about every dump is said.
  explicit EachMessages(bool all) : all_(all) {}

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
  std::vector<Message> messages_;
  std::unordered_map<std::string, size_t> similar_;  // indices of messages_
};

}  // namespace heapprof
