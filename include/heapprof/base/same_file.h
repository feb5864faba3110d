// SPDX-License-Identifier: Apache-2.0
//
// Whether two paths lead to one file.
#pragma once

#include <string>

namespace heapprof {

// True if the paths are equal or lead to the same existing file, perhaps by
// links.
bool SameFile(const std::string& a, const std::string& b);

// Returns the absolute path without symbolic links, "." and "..". The part of
// it that does not exist is treated as text.
std::string RealPath(const std::string& path);

}  // namespace heapprof
