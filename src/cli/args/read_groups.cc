// SPDX-License-Identifier: Apache-2.0
#include "cli/args/read_groups.h"

#include <algorithm>
#include <iterator>

#include "heapprof/groups/built_in_groups.h"
#include "heapprof/groups/groups_file.h"
#include "heapprof/io/input_file.h"
#include "heapprof/toml/toml_limits.h"

namespace heapprof {
namespace {

Result<std::vector<Group>> ReadFile(const std::string& path) {
  const auto file = InputFile::Open(path, {}, kLargestToml);
  if (!file)
    return Fail(ErrorKind::kUsage, "--groups: " + file.error().message);
  return ParseGroups(file->bytes(), path);
}

}  // namespace

Result<std::vector<Group>> ReadGroups(const std::vector<std::string>& sources) {
  std::vector<Group> groups;
  for (const std::string& source : sources) {
    auto read =
        NamesBuiltInGroups(source) ? BuiltInGroups(source) : ReadFile(source);
    if (!read) return read;
    std::ranges::move(*read, std::back_inserter(groups));
  }
  return groups;
}

}  // namespace heapprof
