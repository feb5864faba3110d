// SPDX-License-Identifier: Apache-2.0
#include "heapprof/symbolize/module_locator.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "heapprof/elf/call_check.h"
#include "symbolize/binary_candidates.h"
#include "symbolize/paths.h"

namespace heapprof {
namespace {

// Below this share of return addresses that follow a call, the file is
// another build: a wrong file reaches about a tenth, the right one all but a
// few (thread entry points and signal frames have no call before them).
constexpr double kSameBuildShare = 0.75;

std::vector<uint64_t> FileAddresses(const ElfImage& image,
                                    std::span<const uint64_t> offsets) {
  std::vector<uint64_t> addresses;
  addresses.reserve(offsets.size());
  for (uint64_t offset : offsets) {
    // The byte before: a return address may be the first behind a segment.
    const auto address = image.FileAddressOf(offset - 1);
    if (address) addresses.push_back(*address + 1);
  }
  return addresses;
}

std::string DescribeShare(const CallCheck& check) {
  return fmt::format(
      "{:.0f} % of return addresses follow a call, this is "
      "another build",
      100 * check.Share());
}

// Puts each of `files` where it belongs: what is left are binaries.
void MoveDebugFiles(std::vector<std::string>& files, DebugSearch& debug) {
  std::vector<std::string> binaries;
  for (std::string& path : files) {
    const auto image = ElfImage::Open(path);
    auto* list = &binaries;
    if (image && image->IsDebugFile()) list = &debug.files;
    if (image && image->HasSection(".debug_abbrev.dwo"))
      list = &debug.split_files;
    list->push_back(std::move(path));
  }
  files = std::move(binaries);
}

}  // namespace

ModuleLocator::ModuleLocator(LocatorOptions options)
    : options_(std::move(options)) {
  MoveDebugFiles(options_.binaries, options_.debug);
  MoveDebugFiles(options_.folder_files, options_.debug);
}

Result<std::unique_ptr<Module>>& ModuleLocator::OpenOnce(
    const std::string& path, std::string_view mapped_path) {
  if (auto it = modules_.find(path); it != modules_.end()) return it->second;
  DebugSearch search = options_.debug;
  search.mapped_path = mapped_path;
  return modules_.emplace(path, Module::Open(path, search)).first->second;
}

// Takes the file at `path` if it fits. If not, `found` says why.
bool ModuleLocator::Accept(const Profile& profile, const Mapping& mapping,
                           std::span<const uint64_t> offsets,
                           const BinaryCandidate& candidate, Found& found) {
  const std::string& path = candidate.path;
  const auto refuse = [&](MissReason::Kind kind, std::string text) {
    found.miss.kind = kind;
    found.miss.tried.push_back({path, text});
    found.miss.text = std::move(text);
    return false;
  };
  auto& module = OpenOnce(path, profile.String(mapping.filename));
  if (!module)
    return refuse(MissReason::Kind::kUnreadable, module.error().message);
  if ((*module)->binary().IsDebugFile())
    (*module)->PlaceCode(mapping.file_offset);
  const ElfImage& image = (*module)->binary();
  if (image.load_segments().empty())
    return refuse(MissReason::Kind::kUnreadable,
                  fmt::format("{}: neither a program nor a library", path));
  const CallCheck check =
      CheckReturnAddresses(image, FileAddresses(image, offsets));
  const bool another_build =
      check.checked >= CallCheck::kMinimum && check.Share() < kSameBuildShare;
  if (another_build && !options_.force) {
    if (candidate.is_named)
      found.rejected.push_back(fmt::format("{}: {}; --force uses it anyway",
                                           path, DescribeShare(check)));
    return refuse(MissReason::Kind::kAnotherBuild, DescribeShare(check));
  }
  found.module = module->get();
  found.miss = {};
  if (found.module->debug() == nullptr)
    found.miss = {.kind = MissReason::Kind::kNoDebugInfo,
                  .text = image.build_id().empty()
                              ? std::string("no debug information")
                              : fmt::format("no debug information for build "
                                            "id {}",
                                            image.build_id()),
                  .tried = found.module->debug_tried()};
  return true;
}

ModuleLocator::Found ModuleLocator::Find(const Profile& profile, MappingId id,
                                         std::span<const uint64_t> offsets) {
  const Mapping& mapping = profile.mappings[id.index()];
  Found found;
  if (!mapping.is_file) {
    found.miss = {.kind = MissReason::Kind::kNotAFile, .text = "not a file"};
    return found;
  }
  found.miss = {
      .kind = MissReason::Kind::kNotFound,
      .text = fmt::format("{} not found", profile.String(mapping.filename))};
  for (const BinaryCandidate& candidate :
       BinaryCandidates(profile, id, options_)) {
    if (!FileExists(candidate.path))
      found.miss.tried.push_back({candidate.path, "not found"});
    else if (Accept(profile, mapping, offsets, candidate, found))
      break;
  }
  return found;
}

}  // namespace heapprof
