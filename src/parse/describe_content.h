// SPDX-License-Identifier: Apache-2.0
//
// Describes a file in an unsupported format, for users who pass the wrong file.
#pragma once

#include <string_view>

namespace heapprof {

// Recognises the format of a file by its first bytes and returns a description
// such as "a SQLite database". If the format is unknown, returns "a text file"
// or "a binary file".
std::string_view DescribeContent(std::string_view bytes);

// The same for JSON that is not a log of jemalloc; else "another JSON file".
std::string_view DescribeJson(std::string_view bytes);

// True if all bytes occur in text, in UTF-8 or older encodings.
bool IsText(std::string_view bytes);

}  // namespace heapprof
