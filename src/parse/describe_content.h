// SPDX-License-Identifier: Apache-2.0
//
// What a file is that nobody here reads: people pass the wrong one.
#pragma once

#include <string_view>

namespace heapprof {

// "a SQLite database", by the first bytes of a file; "a text file" or "a binary
// file" of unknown format where nothing fits.
std::string_view DescribeContent(std::string_view bytes);

}  // namespace heapprof
