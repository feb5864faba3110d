// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "heapprof/profile/profile.h"

namespace heapprof {

inline constexpr std::string_view kUnknownPlace = "??:0";

// Returns the place of a call, "FILE:LINE"; kUnknownPlace if `file` is empty.
inline std::string PlaceOf(std::string_view file, uint32_t line) {
  return file.empty() ? std::string(kUnknownPlace)
                      : fmt::format("{}:{}", file, line);
}

inline std::string PlaceOf(const Profile& profile, const Line& line) {
  const StringId file = profile.functions[line.function.index()].filename;
  return PlaceOf(profile.String(file), line.line);
}

}  // namespace heapprof
