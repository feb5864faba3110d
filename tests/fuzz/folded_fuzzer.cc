// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as folded stacks must give a consistent profile, and what is
// written of it must read back as the same bytes.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "heapprof/base/byte_sink.h"
#include "heapprof/report/collapsed.h"
#include "heapprof/view/stack_table.h"
#include "parse/folded_parser.h"
#include "support/check_valid.h"

namespace {

using namespace heapprof;

Profile Parsed(std::string_view text) {
  Diagnostics diagnostics;
  auto profile = ParseFolded(text, "fuzz", {}, diagnostics);
  if (!profile || !CheckValid(*profile).empty()) std::abort();
  return *std::move(profile);
}

// False if the values are so large that sums of them are rounded.
bool HasExactSums(const Profile& profile) {
  constexpr double kExactIntegers = 9007199254740992;  // 2^53
  double sum = 0;
  for (const Sample& sample : profile.samples)
    sum += std::abs(sample.values[Metric::kInuseSpace].value);
  return sum < kExactIntegers;
}

std::string Written(const Profile& profile) {
  std::string text;
  ByteSink sink([&text](std::string_view block) {
    text += block;
    return Result<void>();
  });
  WriteCollapsed(MakeStackTable(profile, Metric::kInuseSpace), sink);
  if (!sink.Finish()) std::abort();
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  LooksFolded(bytes);
  const Profile parsed = Parsed(bytes);
  if (!HasExactSums(parsed)) return 0;
  const std::string once = Written(parsed);
  // If all names end with a number, these count as a column of their own.
  if (!HasTwoColumns(once) && Written(Parsed(once)) != once) std::abort();
  return 0;
}
