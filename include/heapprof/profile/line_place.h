// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <fmt/format.h>

#include "heapprof/profile/profile.h"

namespace heapprof {

// Returns the place of a call, "FILE:LINE"; "??:0" if its file is unknown.
inline std::string PlaceOf(const Profile& profile, const Line& line) {
  const StringId file = profile.functions[line.function.index()].filename;
  return file.IsNone() ? "??:0"
                       : fmt::format("{}:{}", profile.String(file), line.line);
}

}  // namespace heapprof
