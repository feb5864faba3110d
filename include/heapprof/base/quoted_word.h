// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace heapprof {

// Quotes `text`, if necessary, to make it one word of a shell command.
std::string QuotedWord(std::string_view text);

}  // namespace heapprof
