// SPDX-License-Identifier: Apache-2.0
//
// Any bytes taken for a file of groups must give groups that can be applied, or
// an error of usage that names the file.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "heapprof/groups/groups_file.h"
#include "heapprof/parse/parse_profile.h"
#include "support/check_valid.h"

namespace heapprof {
namespace {

constexpr std::string_view kStacks =
    "main;[worker];rocksdb::DB::Put(int);malloc 10\n"
    "main;a::b<c>::operator()|d 20\n"
    "0x401010;/usr/lib/libz.so.1+0x10 30\n";

void Apply(std::string_view bytes) {
  const auto groups = ParseGroups(bytes, "g.toml");
  if (!groups) {
    const Error& error = groups.error();
    if (error.kind != ErrorKind::kUsage || !error.message.starts_with("g.toml"))
      std::abort();
    return;
  }
  for (const Group& group : *groups)
    if (!ExpectedGroupName(group.name).empty()) std::abort();
  Diagnostics diagnostics;
  auto profile = ParseProfile(kStacks, "stacks", diagnostics);
  if (!profile) std::abort();
  const auto added = AddGroupRoots(*groups, *profile);
  if (added ? !CheckValid(*profile).empty() : added.error().message.empty())
    std::abort();
}

}  // namespace
}  // namespace heapprof

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  heapprof::Apply({reinterpret_cast<const char*>(data), size});
  return 0;
}
