// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/early_merge.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/inputs/folder.h"
#include "cli/inputs/profile_loader.h"
#include "heapprof/io/input_file.h"
#include "heapprof/parse/parse_profile.h"

namespace heapprof {
namespace {

// Like KindOfFile(), but also tells what a compressed file contains.
InputKind KindOfContent(const std::string& path) {
  InputKind kind = KindOfFile(path);
  if (kind == InputKind::kOther) {
    const auto look = [&kind](std::string_view head,
                              std::string_view) -> Result<void> {
      kind = DetectFormat(head).kind;
      return Fail(ErrorKind::kOtherFormat, "");  // no need to read on
    };
    (void)InputFile::Open(path, look);
  }
  return kind;
}

// True if code of a library that its process has unloaded may be in `dump`:
// other dumps of the process tell where it was.
bool MayHaveUnloaded(const Profile& dump) {
  return dump.has_memory_map &&
         std::any_of(dump.locations.begin() + 1, dump.locations.end(),
                     [](const Location& location) {
                       return location.mapping.IsNone();
                     });
}

// True if other inputs, which are not read yet, may change what becomes of this
// one: they may have names for it.
bool DependsOnOthers(const Profile& profile) {
  return profile.is_symbolized || MayHaveUnloaded(profile);
}

bool IsDifference(const Profile& profile) {
  return std::ranges::find(profile.samples, Side::kBase, &Sample::side) !=
         profile.samples.end();
}

// Returns a profile with the memory map of `dump` only.
Profile MapOf(const Profile& dump) {
  Profile map;
  const auto moved = [&](StringId id) {
    return map.strings.Intern(dump.String(id));
  };
  map.has_memory_map = dump.has_memory_map;
  map.main_binary = moved(dump.main_binary);
  map.mappings = dump.mappings;
  for (Mapping& mapping : map.mappings)
    for (StringId* const id : {&mapping.filename, &mapping.recorded_filename,
                               &mapping.build_id, &mapping.elf_path})
      *id = moved(*id);
  return map;
}

}  // namespace

EarlyMerge::EarlyMerge(const Options& options, const LoadRules& rules,
                       std::span<const std::string> files, size_t first_base,
                       std::vector<std::string> folder_files)
    : rules_(rules), takes_all_(ShowsOnlySums(options)) {
  constexpr size_t kFew = 2;
  if (!rules.find_binaries || files.size() <= kFew) return;
  size_t dumps = 0;
  for (size_t i = 0; i < files.size(); ++i) {
    std::error_code error;
    // What is read from a pipe would be lost.
    if (!std::filesystem::is_regular_file(files[i], error)) return;
    const InputKind kind = KindOfContent(files[i]);
    if (kind == InputKind::kBinary)
      binaries_.binaries.push_back(files[i]);
    else if (kind == InputKind::kLog && i < first_base)
      return;
    else
      ++dumps;
  }
  goes_on_ = dumps > kFew;
  binaries_.folder_files = std::move(folder_files);
}

Result<void> EarlyMerge::Take(LoadedInputs& inputs) {
  for (; goes_on_ && next_ < inputs.profiles.size(); ++next_) {
    MergeInput& input = inputs.profiles[next_];
    if (DependsOnOthers(input.profile) || IsDifference(input.profile)) {
      goes_on_ = false;
      break;
    }
    maps_.push_back({MapOf(input.profile), input.side});
    if (auto found = rules_.find_binaries(binaries_, input.profile); !found)
      return found;
    if (takes_all_)
      inputs.merger.TakeAll(input);
    else
      inputs.merger.TakeStacks(input);
  }
  return {};
}

}  // namespace heapprof
