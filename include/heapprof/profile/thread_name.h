// SPDX-License-Identifier: Apache-2.0
//
// What reports for people call a thread. It is the number that jemalloc gives
// it ("t3:" in a dump), because several threads may have one name. Reports for
// other programs give number and name apart.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/core.h>

namespace heapprof {

// Returns "t3 worker"; "t3" if the thread has no name. So does threadTitle() in
// src/report/assets/html/thread_title.js.
inline std::string ThreadTitle(uint64_t uid, std::string_view name) {
  return fmt::format("t{}{}{}", uid, name.empty() ? "" : " ", name);
}

// For comparisons, because a thread may have another number in each process.
// Returns "worker"; "t3" if the thread has no name.
inline std::string ThreadName(uint64_t uid, std::string_view name) {
  return name.empty() ? ThreadTitle(uid, name) : std::string(name);
}

}  // namespace heapprof
