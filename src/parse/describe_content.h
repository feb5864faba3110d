// SPDX-License-Identifier: Apache-2.0
//
// Describes a file in an unsupported format, for users who pass the wrong file.
#pragma once

#include <string_view>

namespace heapprof {

// "a SQLite database", from the first bytes of a file; "a text file" or "a
// binary file" if the format is unknown.
std::string_view DescribeContent(std::string_view bytes);

}  // namespace heapprof
