// SPDX-License-Identifier: Apache-2.0
//
// Threads for the profiles of test_profile.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "heapprof/profile/profile.h"

namespace heapprof {

// Adds a copy of the sample with that index, as one of the thread.
inline void AddToThread(size_t sample, uint64_t uid, std::string_view name,
                        Profile& profile) {
  Sample of_thread = profile.samples[sample];
  // The first row stands for no thread.
  const auto thread = std::find_if(
      profile.threads.begin() + 1, profile.threads.end(),
      [&](const Thread& known) {
        return known.uid == uid && profile.String(known.name) == name;
      });
  of_thread.thread = {static_cast<uint32_t>(thread - profile.threads.begin())};
  if (thread == profile.threads.end())
    profile.threads.push_back({uid, profile.strings.Intern(name)});
  profile.thread_samples.push_back(of_thread);
}

}  // namespace heapprof
