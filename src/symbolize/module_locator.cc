// SPDX-License-Identifier: Apache-2.0
#include "heapprof/symbolize/module_locator.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "heapprof/elf/call_check.h"
#include "heapprof/io/gzip.h"
#include "heapprof/io/input_file.h"

namespace heapprof {
namespace {

namespace fs = std::filesystem;

// Below this share of return addresses that follow a call, the file is
// another build: a wrong file reaches about a tenth, the right one all but a
// few (thread entry points and signal frames have no call before them).
constexpr double kSameBuildShare = 0.75;

constexpr const char* kSystemDebugDir = "/usr/lib/debug";

std::string BaseName(const std::string& path) {
  return fs::path(path).filename().string();
}

bool SameFile(const std::string& a, const std::string& b) {
  std::error_code error;
  return a == b || fs::equivalent(a, b, error);
}

bool Exists(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

// A debug file belongs to a binary if the build ids agree; where one has none
// the checksum in the binary's .gnu_debuglink decides.
bool Belongs(const ElfImage& debug, const ElfImage& binary) {
  if (!debug.build_id().empty() && !binary.build_id().empty())
    return debug.build_id() == binary.build_id();
  if (!binary.debug_link()) return false;
  const auto file = InputFile::Open(debug.path());
  return file && Crc32(file->bytes()) == binary.debug_link()->crc;
}

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

}  // namespace

std::vector<std::string> DebugFileCandidates(
    const ElfImage& binary, std::span<const std::string> debug_dirs) {
  std::vector<std::string> roots(debug_dirs.begin(), debug_dirs.end());
  roots.emplace_back(kSystemDebugDir);
  std::vector<std::string> candidates;
  constexpr size_t kPrefixLength = 2;  // .build-id/ab/cdef….debug
  const std::string& id = binary.build_id();
  if (id.size() > kPrefixLength) {
    for (const std::string& root : roots)
      candidates.push_back(fmt::format("{}/.build-id/{}/{}.debug", root,
                                       id.substr(0, kPrefixLength),
                                       id.substr(kPrefixLength)));
  }
  std::error_code error;
  const fs::path real = fs::canonical(binary.path(), error);
  const fs::path folder =
      error ? fs::path(binary.path()).parent_path() : real.parent_path();
  if (binary.debug_link()) {
    // A link with a directory in it would point anywhere on this machine.
    const std::string name = BaseName(binary.debug_link()->file_name);
    if (!name.empty()) {
      candidates.push_back((folder / name).string());
      candidates.push_back((folder / ".debug" / name).string());
      for (const std::string& root : roots)
        candidates.push_back(root + (folder / name).string());
      for (const std::string& root : debug_dirs)
        candidates.push_back((fs::path(root) / name).string());
    }
  }
  return candidates;
}

const ElfImage* Module::debug() const {
  if (debug_file_) return &*debug_file_;
  return binary_.HasDwarf() ? &binary_ : nullptr;
}

Result<std::unique_ptr<Module>> Module::Open(
    const std::string& path, std::span<const std::string> debug_dirs) {
  auto binary = ElfImage::Open(path);
  if (!binary) return std::unexpected(binary.error());
  std::unique_ptr<Module> module(new Module(std::move(*binary)));
  if (!module->binary_.HasDwarf()) {
    for (const std::string& candidate :
         DebugFileCandidates(module->binary_, debug_dirs)) {
      if (!Exists(candidate) || SameFile(candidate, path)) continue;
      auto debug = ElfImage::Open(candidate);
      if (!debug || !Belongs(*debug, module->binary_)) continue;
      module->debug_file_ = std::move(*debug);
      break;
    }
  }
  std::vector<const ElfImage*> images;
  if (module->debug_file_) images.push_back(&*module->debug_file_);
  images.push_back(&module->binary_);
  module->symbols_ = SymbolTable::Load(images);
  return module;
}

ModuleLocator::ModuleLocator(LocatorOptions options)
    : options_(std::move(options)) {}

const Result<std::unique_ptr<Module>>& ModuleLocator::OpenOnce(
    const std::string& path) {
  if (auto it = modules_.find(path); it != modules_.end()) return it->second;
  return modules_.emplace(path, Module::Open(path, options_.debug_dirs))
      .first->second;
}

// What the user gave for this mapping: the same path, else the same base
// name; for the program itself also what no mapping has the name of.
std::vector<std::string> ModuleLocator::UserCandidates(const Profile& profile,
                                                       MappingId id) const {
  const auto name_of = [&profile](const Mapping& mapping) {
    return std::string(profile.String(mapping.filename));
  };
  const Mapping& mapping = profile.mappings[id.index()];
  const std::string path = name_of(mapping);
  const bool is_main = mapping.filename == profile.main_binary;
  std::vector<std::string> by_path, by_name, by_position;
  for (const std::string& binary : options_.binaries) {
    const auto has_its_name = [&](const Mapping& other) {
      return BaseName(name_of(other)) == BaseName(binary);
    };
    if (SameFile(binary, path)) {
      by_path.push_back(binary);
    } else if (BaseName(binary) == BaseName(path)) {
      by_name.push_back(binary);
    } else if (is_main &&
               std::ranges::none_of(profile.mappings, has_its_name)) {
      by_position.push_back(binary);
    }
  }
  std::vector<std::string> all = std::move(by_path);
  all.insert(all.end(), by_name.begin(), by_name.end());
  all.insert(all.end(), by_position.begin(), by_position.end());
  for (const std::string& folder : options_.symbol_path)
    all.push_back((fs::path(folder) / BaseName(path)).string());
  return all;
}

ModuleLocator::Found ModuleLocator::Find(const Profile& profile, MappingId id,
                                         std::span<const uint64_t> offsets) {
  const Mapping& mapping = profile.mappings[id.index()];
  Found found;
  if (!mapping.is_file) {
    found.miss = {MissReason::Kind::kNotAFile, "not a file"};
    return found;
  }
  std::vector<std::string> candidates = UserCandidates(profile, id);
  const size_t from_user = candidates.size();
  candidates.emplace_back(profile.String(mapping.filename));
  found.miss = {MissReason::Kind::kNotFound,
                fmt::format("{} not found", candidates.back())};
  for (size_t i = 0; i < candidates.size(); ++i) {
    const std::string& path = candidates[i];
    if (!Exists(path)) continue;
    const auto& module = OpenOnce(path);
    if (!module) {
      found.miss = {MissReason::Kind::kUnreadable, module.error().message};
      continue;
    }
    const ElfImage& image = (*module)->binary();
    const CallCheck check =
        CheckReturnAddresses(image, FileAddresses(image, offsets));
    const bool another_build =
        check.checked >= CallCheck::kMinimum && check.Share() < kSameBuildShare;
    if (another_build && !options_.force) {
      found.miss = {MissReason::Kind::kAnotherBuild, DescribeShare(check)};
      if (i < from_user)
        found.rejected.push_back(fmt::format("{}: {}; --force uses it anyway",
                                             path, DescribeShare(check)));
      continue;
    }
    found.module = module->get();
    found.miss = {};
    if (found.module->debug() == nullptr)
      found.miss = {MissReason::Kind::kNoDebugInfo,
                    image.build_id().empty()
                        ? std::string("no debug information")
                        : fmt::format("no debug information for build id {}",
                                      image.build_id())};
    return found;
  }
  return found;
}

}  // namespace heapprof
