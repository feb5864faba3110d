// SPDX-License-Identifier: Apache-2.0
#include "heapprof/symbolize/module.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "heapprof/io/gzip.h"
#include "heapprof/io/input_file.h"
#include "symbolize/paths.h"

namespace heapprof {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSystemDebugDir = "/usr/lib/debug";

bool HaveSameLayout(const ElfImage& a, const ElfImage& b) {
  return a.machine() == b.machine() &&
         std::ranges::equal(a.load_segments(), b.load_segments(),
                            [](const LoadSegment& x, const LoadSegment& y) {
                              return x.address == y.address &&
                                     x.memory_size == y.memory_size;
                            });
}

// A debug file belongs to a binary if the build ids agree; where one has none
// the checksum in the binary's .gnu_debuglink decides. Without either, a file
// that the user named must at least have the same segments.
bool Belongs(const ElfImage& debug, const ElfImage& binary, bool from_user) {
  if (!debug.build_id().empty() && !binary.build_id().empty())
    return debug.build_id() == binary.build_id();
  if (!binary.debug_link()) return from_user && HaveSameLayout(debug, binary);
  const auto file = InputFile::Open(debug.path());
  return file && Crc32(file->bytes()) == binary.debug_link()->crc;
}

std::vector<std::string> SplitFileCandidates(std::string_view directory,
                                             std::string_view name,
                                             const std::string& binary,
                                             const DebugSearch& search) {
  const std::string path = (fs::path(directory) / name).string();
  std::vector<std::string> candidates;
  for (const PathMapping& mapping : search.path_map)
    if (auto mapped = mapping.Apply(path))
      candidates.push_back(std::move(*mapped));
  for (const std::string& sysroot : search.sysroots)
    candidates.push_back(Below(sysroot, path));
  candidates.push_back(path);
  const fs::path folder = fs::path(binary).parent_path();
  if (fs::path(name).is_relative())
    candidates.push_back((folder / name).string());
  candidates.push_back((folder / BaseName(name)).string());
  for (const std::string& root : search.dirs)
    candidates.push_back((fs::path(root) / BaseName(name)).string());
  return candidates;
}

std::vector<std::string> DebugRoots(const DebugSearch& search) {
  std::vector<std::string> roots = search.dirs;
  for (const std::string& sysroot : search.sysroots)
    roots.push_back(Below(sysroot, kSystemDebugDir));
  roots.emplace_back(kSystemDebugDir);
  return roots;
}

}  // namespace

std::vector<std::string> DebugFileCandidates(const ElfImage& binary,
                                             const DebugSearch& search) {
  const std::vector<std::string> roots = DebugRoots(search);
  std::vector<std::string> candidates = search.files;
  constexpr size_t kPrefixLength = 2;  // .build-id/ab/cdef….debug
  const std::string& id = binary.build_id();
  if (id.size() > kPrefixLength) {
    for (const std::string& root : roots)
      candidates.push_back(fmt::format("{}/.build-id/{}/{}.debug", root,
                                       id.substr(0, kPrefixLength),
                                       id.substr(kPrefixLength)));
  }
  // Without an id or a link nothing could prove that a file belongs here.
  if (id.empty() && !binary.debug_link()) return candidates;
  std::error_code error;
  const fs::path real = fs::canonical(binary.path(), error);
  const fs::path path = error ? fs::path(binary.path()) : real;
  const fs::path folder = path.parent_path();
  const auto name_for = [&binary](const fs::path& file) {
    return binary.debug_link() ? binary.debug_link()->file_name
                               : file.filename().string() + ".debug";
  };
  const std::string name = name_for(path);
  candidates.push_back((folder / name).string());
  candidates.push_back((folder / ".debug" / name).string());
  std::vector<std::string> mirrored = {(folder / name).string()};
  if (const fs::path mapped = search.mapped_path; !mapped.empty())
    mirrored.push_back((mapped.parent_path() / name_for(mapped)).string());
  if (mirrored.front() == mirrored.back()) mirrored.resize(1);
  for (const std::string& root : roots)
    for (const std::string& file : mirrored)
      candidates.push_back(Below(root, file));
  for (const std::string& root : search.dirs)
    candidates.push_back((fs::path(root) / name).string());
  return candidates;
}

std::optional<std::string> PathMapping::Apply(std::string_view path) const {
  if (!IsBelow(path, from)) return std::nullopt;
  std::string_view root = from;
  while (root.ends_with('/')) root.remove_suffix(1);
  return Below(to, path.substr(root.size()));
}

const ElfImage* Module::debug() const {
  if (debug_file_) return &*debug_file_;
  return binary_.HasDwarf() ? &binary_ : nullptr;
}

bool Module::Owns(const ElfImage& debug) const {
  return Belongs(debug, binary_, /*from_user=*/true);
}

void Module::FindDebugFile() {
  const auto candidates = DebugFileCandidates(binary_, search_);
  for (size_t i = 0; i < candidates.size(); ++i) {
    const std::string& path = candidates[i];
    if (!FileExists(path)) {
      debug_tried_.push_back({path, "not found"});
      continue;
    }
    if (SameFile(path, binary_.path())) continue;
    auto debug = ElfImage::Open(path);
    if (!debug) {
      debug_tried_.push_back({path, debug.error().message});
    } else if (!Belongs(*debug, binary_, i < search_.files.size())) {
      debug_tried_.push_back({path, "belongs to another build"});
    } else {
      debug_file_ = std::move(*debug);
      return;
    }
  }
}

SplitSearch Module::split_search() const {
  SplitSearch split = {.packages = search_.split_files};
  split.packages.push_back(binary_.path() + ".dwp");
  if (debug_file_) {
    fs::path debug = debug_file_->path();
    split.packages.push_back(debug.string() + ".dwp");
    if (debug.extension() == ".debug")
      split.packages.push_back(debug.replace_extension(".dwp").string());
  }
  split.candidates = [this](std::string_view directory, std::string_view name) {
    return SplitFileCandidates(directory, name, binary_.path(), search_);
  };
  return split;
}

Result<std::unique_ptr<Module>> Module::Open(const std::string& path,
                                             const DebugSearch& search) {
  auto binary = ElfImage::Open(path);
  if (!binary) return std::unexpected(binary.error());
  std::unique_ptr<Module> module(new Module(std::move(*binary), search));
  if (!module->binary_.HasDwarf()) module->FindDebugFile();
  std::vector<const ElfImage*> images;
  if (module->debug_file_) images.push_back(&*module->debug_file_);
  images.push_back(&module->binary_);
  if (!module->debug_file_) {
    auto mini = ElfImage::OpenMiniDebugInfo(module->binary_);
    if (mini)
      module->mini_debug_info_ = std::move(*mini);
    else
      module->problem_ = mini.error().message;
  }
  if (module->mini_debug_info_) images.push_back(&*module->mini_debug_info_);
  module->symbols_ = SymbolTable::Load(images);
  return module;
}

}  // namespace heapprof
