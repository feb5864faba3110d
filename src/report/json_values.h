// SPDX-License-Identifier: Apache-2.0
//
// Values of JSON documents as text, which need no library.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "heapprof/view/whole_values.h"

namespace heapprof {

// Returns `text` as a string of JSON, with its quotes. It is pure ASCII, so
// that no control character reaches a terminal, and contains no "##[", with
// which commands to CI services begin. Invalid UTF-8 is replaced by U+FFFD.
std::string QuotedJson(std::string_view text);

// Replaces what begins a command to a CI service in the text of a JSON
// document. The document says the same as before.
std::string WithoutCommands(std::string_view json);

// Cuts off the fraction of `value`, as reports with --show_bytes do.
int64_t WholeNumber(double value);

struct WholeInterval {
  int64_t lower = 0;
  int64_t upper = 0;
};

// Rounds the bounds outwards to integers.
WholeInterval WholeBounds(const Interval& interval);

}  // namespace heapprof
