// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heapprof {

// Quotes `text`, if necessary, to make it one word of a shell command.
std::string QuotedWord(std::string_view text);

// Returns the words of a command whose words are as QuotedWord() returns them.
std::vector<std::string> QuotedWords(std::string_view command);

}  // namespace heapprof
