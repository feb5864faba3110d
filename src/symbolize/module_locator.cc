// SPDX-License-Identifier: Apache-2.0
#include "heapprof/symbolize/module_locator.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/core.h>

#include "heapprof/base/base_name.h"
#include "heapprof/base/same_file.h"
#include "heapprof/index/index_folders.h"
#include "heapprof/profile/program.h"
#include "symbolize/address_layout.h"
#include "symbolize/assumed_index.h"
#include "symbolize/checked_addresses.h"
#include "symbolize/debug_root.h"
#include "symbolize/paths.h"

namespace heapprof {
namespace {

// `image` is a file that the user gave and that does not fit the mapping for
// which it was tried. Returns true if another mapping has its build id: then
// `image` is the file of that mapping rather than a wrong build.
bool IsOfAnotherMapping(const Profile& profile, const ElfImage& image) {
  return !image.build_id().empty() &&
         std::ranges::any_of(profile.mappings, [&](const Mapping& mapping) {
           return profile.String(mapping.build_id) == image.build_id();
         });
}

}  // namespace

void MoveDebugFiles(std::vector<std::string>& files, DebugSearch& debug,
                    std::map<std::string, std::string>* build_ids) {
  std::vector<std::string> binaries;
  for (std::string& path : files) {
    const auto image = ElfImage::Open(path);
    if (image && build_ids != nullptr)
      build_ids->emplace(path, image->build_id());
    if (image && image->HasSection(".debug_abbrev.dwo"))
      debug.split_files.push_back(std::move(path));
    else if (image && image->IsDebugFile())
      debug.files.push_back(std::move(path));
    else {
      if (image && image->HasDwarf()) debug.unstripped.push_back(path);
      binaries.push_back(std::move(path));
    }
  }
  files = std::move(binaries);
}

ModuleLocator::ModuleLocator(LocatorOptions options)
    : options_(std::move(options)) {
  MoveDebugFiles(options_.binaries, options_.debug, &build_ids_);
  named_debug_files_ = options_.debug.files;
  named_split_files_ = options_.debug.split_files.size();
  MoveDebugFiles(options_.folder_files, options_.debug, &build_ids_);
}

ModuleLocator::~ModuleLocator() = default;

void ModuleLocator::ExpectMoreProfiles() {
  if (checked_ == nullptr) checked_ = std::make_unique<CheckedAddresses>();
}

bool ModuleLocator::IsOpen(const std::string& path) const {
  const auto it = modules_.lower_bound({path, ""});
  return it != modules_.end() && it->first.first == path &&
         it->second.has_value();
}

ModuleLocator::OpenedModule& ModuleLocator::OpenOnce(
    const std::string& path, std::string_view mapped_path) {
  for (auto it = modules_.lower_bound({path, ""});
       it != modules_.end() && it->first.first == path; ++it) {
    const bool is_complete = !it->second || (*it->second)->HasDebugInfo();
    if (is_complete || it->first.second == mapped_path) return it->second;
  }
  DebugSearch search = options_.debug;
  search.mapped_path = mapped_path;
  return modules_
      .emplace(ModuleKey(path, mapped_path), Module::Open(path, search))
      .first->second;
}

bool ModuleLocator::TryCandidate(const Wanted& wanted,
                                 const BinaryCandidate& candidate,
                                 Found& found) {
  const Mapping& mapping = wanted.mapping;
  const std::string& path = candidate.path;
  const auto refuse = [&](FileState kind, std::string text) {
    found.miss.state = kind;
    found.miss.tried.push_back({path, text});
    found.miss.text = std::move(text);
    return false;
  };
  auto& module = OpenOnce(path, wanted.Path());
  if (!module) return refuse(FileState::kUnreadable, module.error().message);
  if ((*module)->binary().IsDebugFile() &&
      mapping.address_space == AddressSpace::kFileOffset)
    (*module)->PlaceCode(mapping.file_offset);
  const ElfImage& image = (*module)->binary();
  if (image.load_segments().empty())
    return refuse(FileState::kUnreadable,
                  fmt::format("{}: neither a program nor a library", path));
  const BuildCheck check =
      checked_ == nullptr
          ? CheckBuild(image, mapping.address_space, wanted.return_addresses)
          : checked_->Check(image, mapping.address_space,
                            wanted.return_addresses);
  const auto problem = WhyAnotherBuild(
      image, check,
      {.build_id = wanted.BuildId(),
       .what = IsOfProgram(wanted.profile, mapping)
                   ? "program that wrote the dump"
                   : "library that the program had loaded",
       .has_its_name = BaseName(path) == BaseName(wanted.Path())});
  if (problem && !options_.force) {
    if (candidate.is_named && !IsOfAnotherMapping(wanted.profile, image))
      found.rejected.push_back({path, *problem});
    return refuse(FileState::kAnotherBuild, *problem);
  }
  Use(**module, check.calls, found);
  return true;
}

void ModuleLocator::Use(const Module& module, const CallCheck& calls,
                        Found& found) {
  found.module = &module;
  found.calls = calls;
  found.miss.state = FileState::kFound;
  found.miss.text.clear();
  if (module.index() != nullptr && module.HasDebugInfo()) return;
  std::ranges::copy(module.debug_tried(), std::back_inserter(found.miss.tried));
  if (module.HasDebugInfo()) return;
  const std::string& build_id = module.binary().build_id();
  found.miss.state = FileState::kNoDebugInfo;
  found.miss.text =
      build_id.empty()
          ? "no debug information"
          : fmt::format("no debug information for build id {}", build_id);
}

const Module& ModuleLocator::ModuleFor(const PortableIndex& index) {
  auto& module = index_modules_[&index];
  if (module == nullptr) module = Module::FromIndex(index);
  return *module;
}

// Returns the index with the file name of the mapping that fits the mapping. If
// several do, nothing tells which is right, so returns none. A program may have
// been renamed: without an index of its name, the others are tried, too.
const PortableIndex* ModuleLocator::IndexToAssume(const Wanted& wanted,
                                                  MissReason& miss) {
  IndexFolders& indexes = *options_.debug.indexes;
  std::vector<const PortableIndex*> candidates =
      indexes.FindByName(BaseName(wanted.Path()));
  const bool have_file_name = !candidates.empty();
  if (!have_file_name && IsOfProgram(wanted.profile, wanted.mapping))
    candidates = indexes.All();
  std::vector<const PortableIndex*> fitting;
  for (const PortableIndex* index : candidates) {
    auto problem = WhyNotAssumed(ModuleFor(*index).binary(), wanted.mapping,
                                 wanted.return_addresses, have_file_name);
    if (!problem)
      fitting.push_back(index);
    else if (have_file_name)
      miss.tried.push_back({index->path(), *std::move(problem)});
  }
  if (fitting.size() == 1) return fitting.front();
  // It may not fit because it is damaged. With many candidates, it would take
  // too long to read them all.
  if (candidates.size() == 1) indexes.IsWhole(*candidates.front());
  for (const PortableIndex* index : fitting)
    miss.tried.push_back(
        {index->path(),
         fmt::format("fits, but so do {} indexes{}", fitting.size(),
                     have_file_name ? " of this file name" : "")});
  return nullptr;
}

bool ModuleLocator::TryIndex(const Wanted& wanted, Found& found) {
  IndexFolders* const indexes = options_.debug.indexes;
  if (indexes == nullptr) return false;
  const std::string_view build_id = wanted.BuildId();
  const PortableIndex* const index = build_id.empty()
                                         ? IndexToAssume(wanted, found.miss)
                                         : indexes->FindByBuildId(build_id);
  if (index == nullptr || !indexes->IsWhole(*index)) {
    if (indexes->has_named_folder())
      found.miss.tried.push_back(
          {kIndexFoldersPlace, "no index of this build"});
    return false;
  }
  const Module& module = ModuleFor(*index);
  const BuildCheck check = CheckBuild(
      module.binary(), wanted.mapping.address_space, wanted.return_addresses);
  if (check.count != 0 && check.outside == check.count) {
    found.miss.tried.push_back(
        {index->path(),
         fmt::format("none of {} return addresses is in its code",
                     check.count)});
    return false;
  }
  Use(module, check.calls, found);
  found.is_assumed = build_id.empty();
  return true;
}

// Adds files that have this build id. Puts files that the user gave before all
// other candidates, whatever their names are. Puts files in debug directories
// and in the caches of the debuginfod client at the end.
void ModuleLocator::AddByBuildId(std::string_view build_id,
                                 std::vector<BinaryCandidate>& candidates) {
  const std::string path = BuildIdPath(build_id);
  if (path.empty()) return;
  for (const auto* files : {&options_.folder_files, &options_.binaries})
    for (const std::string& file : *files)
      if (const auto it = build_ids_.find(file);
          it != build_ids_.end() && it->second == build_id)
        candidates.insert(candidates.begin(), {.path = file, .is_named = true});
  for (const DebugRoot& root : DebugRoots(options_.debug)) {
    candidates.push_back({.path = root.File(path)});
    candidates.push_back({.path = root.File(path + ".debug")});
  }
  for (const std::string& cache : options_.debug.debuginfod_caches)
    for (const BuildIdFile file :
         {BuildIdFile::kExecutable, BuildIdFile::kDebugInfo})
      candidates.push_back({.path = CachedFile(cache, build_id, file)});
}

void ModuleLocator::AskServers(const Wanted& wanted, Found& found) {
  const std::string build_id(wanted.BuildId());
  if (options_.debug.servers == nullptr || build_id.empty()) return;
  for (const BuildIdFile file :
       {BuildIdFile::kExecutable, BuildIdFile::kDebugInfo}) {
    const auto path = options_.debug.servers->Fetch(file, build_id);
    if (!path)
      found.miss.tried.push_back({kServersPlace, path.error().message});
    else if (TryCandidate(wanted, {.path = *path}, found))
      return;
  }
}

ModuleLocator::Found ModuleLocator::Find(
    const Profile& profile, MappingId id,
    std::span<const uint64_t> return_addresses) {
  const Wanted wanted = {.profile = profile,
                         .mapping = profile.mappings[id.index()],
                         .return_addresses = return_addresses};
  Found found;
  if (!wanted.mapping.is_file) {
    // "[vdso]" and similar regions contain kernel code.
    const bool is_kernel = wanted.Path().starts_with("[v");
    found.miss = {
        .state = is_kernel ? FileState::kKernelCode : FileState::kGenerated,
        .text = is_kernel ? "not a file"
                          : "not a file: code made at run time, which a perf "
                            "map can name: 'jcmd PID Compiler.perfmap' of a "
                            "JVM, --perf-basic-prof of Node; see --perf-map"};
    return found;
  }
  found.miss = {.state = FileState::kNotFound,
                .text = fmt::format("{} not found", wanted.Path())};
  std::vector<BinaryCandidate> candidates =
      BinaryCandidates(profile, id, options_);
  AddByBuildId(wanted.BuildId(), candidates);
  for (const BinaryCandidate& candidate : candidates) {
    if (!IsOpen(candidate.path) && !FileExists(candidate.path))
      found.miss.tried.push_back({candidate.path, "not found"});
    else if (TryCandidate(wanted, candidate, found))
      return found;
  }
  if (!TryIndex(wanted, found)) AskServers(wanted, found);
  return found;
}

std::vector<std::string> ModuleLocator::UnusedDebugFiles(
    const std::set<const Module*>& found) const {
  std::vector<std::string> unused;
  for (const std::string& path : named_debug_files_) {
    const auto debug = ElfImage::Open(path);
    if (!debug) continue;
    const bool is_used = std::ranges::any_of(found, [&](const Module* module) {
      return SameFile(module->binary().path(), path) || module->Owns(*debug);
    });
    if (!is_used)
      unused.push_back(fmt::format(
          "{}: not the debug file of any module; its build id is {}", path,
          debug->build_id().empty() ? "missing" : debug->build_id()));
  }
  return unused;
}

std::vector<std::string> ModuleLocator::UnusedSplitFiles(
    const std::set<std::string>& used, bool lacks_units) const {
  std::vector<std::string> unused;
  for (size_t i = 0; i < options_.debug.split_files.size(); ++i) {
    const std::string& path = options_.debug.split_files[i];
    if (used.contains(path) || (!lacks_units && i >= named_split_files_))
      continue;
    const auto image = ElfImage::Open(path);
    const bool is_package = image && image->HasSection(".debug_cu_index");
    if (lacks_units || is_package)
      unused.push_back(fmt::format(
          "{}: not used: no module needs its split debug information", path));
  }
  return unused;
}

}  // namespace heapprof
