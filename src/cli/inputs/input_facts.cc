// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/input_facts.h"

namespace heapprof {

std::string_view BuildIdOfProgram(const Profile& profile) {
  for (const Mapping& mapping : profile.mappings)
    if (!mapping.build_id.IsNone() && mapping.filename == profile.main_binary)
      return profile.String(mapping.build_id);
  return "";
}

void AddFacts(const Profile& profile, InputFacts& facts) {
  facts.sampling_period = profile.sampling_period;
  facts.time_seconds = profile.time_seconds;
  facts.program = profile.String(profile.main_binary);
  facts.build_id = BuildIdOfProgram(profile);
}

}  // namespace heapprof
