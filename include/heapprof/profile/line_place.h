// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "heapprof/profile/profile.h"

namespace heapprof {

inline constexpr std::string_view kUnknownPlace = "??:0";

// Returns the place of a call, "FILE:LINE"; kUnknownPlace if its file is
// unknown.
inline std::string PlaceOf(const Profile& profile, const Line& line) {
  const StringId file = profile.functions[line.function.index()].filename;
  return file.IsNone() ? std::string(kUnknownPlace)
                       : fmt::format("{}:{}", profile.String(file), line.line);
}

}  // namespace heapprof
