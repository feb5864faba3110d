// SPDX-License-Identifier: Apache-2.0
#include "heapprof/symbolize/module.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "heapprof/base/base_name.h"
#include "heapprof/base/same_file.h"
#include "heapprof/index/index_folders.h"
#include "heapprof/io/gzip.h"
#include "heapprof/io/input_file.h"
#include "symbolize/paths.h"

namespace heapprof {
namespace {

namespace fs = std::filesystem;

bool HaveSameLayout(const ElfImage& a, const ElfImage& b) {
  return a.machine() == b.machine() &&
         std::ranges::equal(a.load_segments(), b.load_segments(),
                            [](const LoadSegment& x, const LoadSegment& y) {
                              return x.address == y.address &&
                                     x.memory_size == y.memory_size;
                            });
}

// A debug file belongs to a binary if their build ids are equal. If one of the
// two has no build id, the checksum in the binary's .gnu_debuglink decides. If
// there is no .gnu_debuglink either, a file that the user gave is accepted if
// it has the same PT_LOAD segments; another file is not.
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
    candidates.push_back(ResolveBelow(sysroot, path));
  candidates.push_back(path);
  const fs::path folder = fs::path(binary).parent_path();
  if (fs::path(name).is_relative())
    candidates.push_back((folder / name).string());
  candidates.push_back((folder / BaseName(name)).string());
  for (const std::string& root : search.dirs)
    candidates.push_back((fs::path(root) / BaseName(name)).string());
  return candidates;
}

}  // namespace

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

bool Module::HasDebugInfo() const {
  return debug() != nullptr ||
         (index_ != nullptr && index_->binary().has_debug_info);
}

const std::string& Module::NamesPath() const {
  if (index_ != nullptr) return index_->path();
  return debug() != nullptr ? debug()->path() : binary_.path();
}

bool Module::Owns(const ElfImage& debug) const {
  return Belongs(debug, binary_, /*from_user=*/true);
}

bool Module::TryDebugFile(const std::string& path, bool from_user) {
  auto debug = ElfImage::Open(path);
  if (!debug) {
    debug_tried_.push_back({path, debug.error().message});
    return false;
  }
  if (!Belongs(*debug, binary_, from_user)) {
    debug_tried_.push_back({path, "belongs to another build"});
    return false;
  }
  debug_file_ = std::move(*debug);
  return true;
}

void Module::AskServers() {
  if (search_.servers == nullptr || binary_.build_id().empty()) return;
  const auto path =
      search_.servers->Fetch(BuildIdFile::kDebugInfo, binary_.build_id());
  if (path)
    TryDebugFile(*path, /*from_user=*/false);
  else
    debug_tried_.push_back({kServersPlace, path.error().message});
}

void Module::FindDebugFile() {
  const auto candidates = DebugFileCandidates(binary_, search_);
  for (size_t i = 0; i < candidates.size(); ++i) {
    const std::string& path = candidates[i];
    if (!FileExists(path))
      debug_tried_.push_back({path, "not found"});
    else if (!SameFile(path, binary_.path()) &&
             TryDebugFile(path, i < search_.files.size()))
      return;
  }
  if (!HasDebugInfo()) AskServers();
}

void Module::FindAlternateFile() const {
  if (debug() == nullptr || !debug()->alternate_link()) return;
  const AlternateLink& link = *debug()->alternate_link();
  const auto accept = [&](const std::string& path) {
    if (!FileExists(path)) return false;
    auto image = ElfImage::Open(path);
    if (!image || image->build_id() != link.build_id) return false;
    alternate_ = std::move(*image);
    return true;
  };
  for (const std::string& path :
       AlternateFileCandidates(link, debug()->path(), search_))
    if (accept(path)) return;
  if (search_.servers == nullptr) return;
  const auto path =
      search_.servers->Fetch(BuildIdFile::kDebugInfo, link.build_id);
  if (path) accept(*path);
}

const ElfImage* Module::alternate() const {
  std::call_once(alternate_once_, [this] { FindAlternateFile(); });
  return alternate_ ? &*alternate_ : nullptr;
}

void Module::DropPages() const {
  for (const ElfImage* image : {&binary_, debug(), alternate()})
    if (image != nullptr) image->DropPages(image->bytes());
}

std::string Module::OverwriteProblem() const {
  for (const ElfImage* image : {&binary_, debug(), alternate()})
    if (image != nullptr && image->IsOverwritten())
      return image->path() +
             ": was overwritten while it was being read: names may be wrong";
  return "";
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
  split.alternate = alternate();
  return split;
}

Result<std::unique_ptr<Module>> Module::Open(const std::string& path,
                                             const DebugSearch& search) {
  auto binary = ElfImage::Open(path);
  if (!binary) return std::unexpected(binary.error());
  std::unique_ptr<Module> module(new Module(std::move(*binary), search));
  if (search.indexes != nullptr && !module->binary_.IsDebugFile())
    module->index_ = search.indexes->FindFor(module->binary_);
  if (!module->binary_.HasDwarf()) module->FindDebugFile();
  // An index that was made from symbols must not hide debug information.
  if (module->debug() != nullptr && module->index_ != nullptr &&
      !module->index_->binary().has_debug_info)
    module->index_ = nullptr;
  if (!module->debug_file_) {
    auto mini = OpenMiniDebugInfo(module->binary_);
    if (mini)
      module->mini_debug_info_ = std::move(*mini);
    else
      module->problem_ = mini.error().message;
  }
  return module;
}

std::unique_ptr<Module> Module::FromIndex(const PortableIndex& index) {
  std::unique_ptr<Module> module(
      new Module(ElfImage::FromLayout(index.path(), index.binary().layout,
                                      index.return_addresses()),
                 {}));
  module->index_ = &index;
  return module;
}

const SymbolTable& Module::symbols() const {
  std::call_once(symbols_once_, [this] {
    std::vector<const ElfImage*> images;
    if (debug_file_) images.push_back(&*debug_file_);
    if (has_binary()) images.push_back(&binary_);
    if (mini_debug_info_) images.push_back(&*mini_debug_info_);
    symbols_ = SymbolTable::Load(images);
  });
  return symbols_;
}

const UnwindTable& Module::unwind_table() const {
  std::call_once(unwind_table_once_, [this] {
    unwind_table_ = has_binary() ? UnwindTable(binary_)
                                 : UnwindTable(index_->UnnamedFunctions());
  });
  return unwind_table_;
}

}  // namespace heapprof
