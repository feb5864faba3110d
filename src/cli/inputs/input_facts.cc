// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/input_facts.h"

#include <utility>

#include "heapprof/profile/process_address.h"
#include "heapprof/profile/program.h"

namespace heapprof {

std::string_view FormatName(const InputFormat& format) {
  std::string_view name = format.description;
  for (const std::string_view article : {"a ", "an "})
    if (name.starts_with(article)) name.remove_prefix(article.size());
  return name;
}

InputFacts FactsOf(std::string path, const InputFormat& format, Side side) {
  return {.path = std::move(path),
          .side = side,
          .format = std::string(FormatName(format)),
          .produced_by = std::string(format.producers)};
}

std::string_view BuildIdOfProgram(const Profile& profile) {
  for (const Mapping& mapping : profile.mappings)
    if (!mapping.build_id.IsNone() && IsOfProgram(profile, mapping))
      return profile.String(mapping.build_id);
  return "";
}

void AddFacts(const Profile& profile, InputFacts& facts) {
  facts.sampling_period = profile.sampling_period;
  facts.time_seconds = profile.time_seconds;
  facts.program = profile.String(profile.main_binary);
  facts.build_id = BuildIdOfProgram(profile);
  facts.random_address = RandomAddress(profile);
  facts.live_bytes = TotalOf(profile, Side::kNew)[Metric::kInuseSpace].value;
}

}  // namespace heapprof
