// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/passes.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "cli/inputs/check_sides.h"
#include "cli/inputs/input_facts.h"
#include "cli/inputs/search_folders.h"
#include "cli/inputs/side_warnings.h"
#include "cli/system/environment.h"
#include "heapprof/base/built_without.h"
#include "heapprof/base/counted.h"
#include "heapprof/demangle/demangle.h"
#include "heapprof/demangle/rust_mangling.h"
#include "heapprof/io/mapped_range.h"
#include "heapprof/profile/program.h"
#include "heapprof/symbolize/added_library.h"
#include "heapprof/transform/limit_inlined_calls.h"
#include "heapprof/transform/merge.h"

namespace heapprof {
namespace {

// Returns the debuginfod servers; null without --debuginfod.
Result<std::unique_ptr<BuildIdServers>> ServersOf(const Options& options) {
  if (!options.use_debuginfod) return nullptr;
  return OpenDebuginfod(DebuginfodUrls());
}

// Returns the folders with portable indexes. The cache is one, too.
std::vector<IndexFolder> IndexFoldersOf(
    const Options& options, const std::optional<IndexCache>& cache) {
  std::vector<IndexFolder> folders;
  for (const std::string& path : options.index_dirs) folders.push_back({path});
  if (cache)
    folders.push_back({.path = cache->directory(), .is_implied = true});
  return folders;
}

// Adds the files of --add_lib and --load-base to the mappings of `profile`.
// They are used only for addresses outside the dump's memory map.
Result<void> MapUnmapped(const Options& options, const LoadedInputs& inputs,
                         Profile& profile) {
  if (!options.added_library.empty())
    if (auto added = MapAddedLibrary(options.added_library, profile); !added)
      return added;
  size_t count = 0;
  for (const LoadBase& base : options.load_bases) {
    if (base.file.empty() && inputs.binaries.empty())
      return Fail(ErrorKind::kUsage,
                  "--load-base: name the program, too, or use --load-base "
                  "FILE=ADDR");
    const std::string& file =
        base.file.empty() ? inputs.binaries.front() : base.file;
    const auto mapped = MapAtLoadBase(file, base.address, profile);
    if (!mapped) return std::unexpected(mapped.error());
    count += *mapped;
  }
  if (!options.load_bases.empty() && count == 0 && !profile.has_memory_map)
    return Fail(ErrorKind::kNoData,
                "--load-base: no address of the dump is in the code of a file "
                "loaded there");
  return {};
}

bool HasMangledNames(const Profile& profile) {
  return std::ranges::any_of(
      profile.functions, [&profile](const Function& function) {
        const std::string_view name = profile.String(function.name);
        return name.starts_with("_Z") || IsRustV0(name);
      });
}

}  // namespace

std::optional<IndexCache> CacheOf(const Options& options) {
  if (!options.use_cache) return std::nullopt;
  std::string directory = options.cache_directory;
  if (directory.empty()) {
    directory = UserCacheDirectory();
    if (directory.empty()) return std::nullopt;
    directory += "/heapprof";
  }
  return IndexCache(std::move(directory), options.cache_size);
}

Result<DebugSearch> MakeDebugSearch(const Options& options, Session& session) {
  WarnOfMissingFolders(options, session.diagnostics);
  auto servers = ServersOf(options);
  if (!servers) return std::unexpected(servers.error());
  session.servers = std::move(*servers);
  session.cache = CacheOf(options);
  session.indexes.emplace(IndexFoldersOf(options, session.cache),
                          JobCount(options));
  DebugSearch search = options.locator.debug;
  search.debuginfod_caches = DebuginfodCaches(ReadDebuginfodEnvironment());
  search.servers = session.servers.get();
  search.indexes = &*session.indexes;
  return search;
}

Result<void> MakeSymbolizer(const Options& options, const LoadedInputs& inputs,
                            Session& session) {
  auto search = MakeDebugSearch(options, session);
  if (!search) return std::unexpected(search.error());
  LocatorOptions locator = options.locator;
  locator.binaries = inputs.binaries;
  locator.folder_files = inputs.folder_files;
  locator.debug = std::move(*search);
  session.symbolizer.emplace(
      SymbolizeOptions{.locator = std::move(locator),
                       .jobs = JobCount(options),
                       .cache = session.cache ? &*session.cache : nullptr,
                       .resymbolize = options.resymbolize,
                       .unknown_addresses = options.pprof_addresses});
  return {};
}

Result<LoadedInputs> ReadInputs(const Options& options, const LoadRules& rules,
                                Session& session) {
  if (auto sides = CheckSideArguments(options); !sides)
    return std::unexpected(sides.error());
  session.progress.Enter("reading the profile");
  return LoadInputs(options, rules, session.diagnostics);
}

namespace {

// Returns the mapping of the program and its file; null if it is not found.
std::pair<const Mapping*, const Module*> ProgramOf(
    const Profile& profile, const Symbolizer& symbolizer) {
  for (uint32_t i = 1; i < profile.mappings.size(); ++i)
    if (IsOfProgram(profile, profile.mappings[i]))
      if (const Module* module = symbolizer.ModuleOf(profile, MappingId{i}))
        return {&profile.mappings[i], module};
  return {};
}

void WarnOfDetail(const LoadedInputs& inputs, const Options& options,
                  Session& session) {
  if (options.filters.options().no_inlines) return;
  Sides<BuildIds> with_lines, without;
  std::string program;
  for (const MergeInput& input : inputs.profiles) {
    const Profile& profile = input.profile;
    if (profile.is_symbolized || profile.main_binary.IsNone()) continue;
    program = profile.String(profile.main_binary);
    const auto [mapping, module] = ProgramOf(profile, *session.symbolizer);
    if (module != nullptr)
      (module->HasDebugInfo() ? with_lines : without)[input.side].emplace(
          profile.String(mapping->build_id));
  }
  WarnIfDetailDiffers(with_lines, without, program, session.diagnostics);
}

void NoteLimitedCalls(const std::optional<LimitedCalls>& limited,
                      Diagnostics& diagnostics) {
  if (!limited) return;
  diagnostics.Note(fmt::format(
      "inlined calls left out: {} more than any real program has; only the "
      "{} innermost are kept, and the function that contains them",
      Counted(limited->locations, "address has", "addresses have"),
      limited->kept - 1));
}

}  // namespace

Result<void> FindBinaries(const Options& options, LoadedInputs& inputs,
                          Session& session) {
  if (!session.symbolizer)
    if (auto made = MakeSymbolizer(options, inputs, session); !made)
      return made;
  session.progress.Enter("looking for the binaries");
  for (MergeInput& input : inputs.profiles) {
    if (input.is_taken) continue;
    if (auto found = FindBinariesOf(options, inputs, input.profile, session);
        !found)
      return found;
  }
  for (size_t i = 0; i < inputs.profiles.size(); ++i)
    AddFacts(inputs.profiles[i].profile, inputs.facts[i]);
  session.symbolizer->NoteUnfitFiles(session.diagnostics);
  if (options.command == Command::kCheck || !options.bases.empty()) {
    WarnIfSidesDiffer(inputs.profiles, session.diagnostics);
    NoteSwappedSides(inputs.facts, session.diagnostics);
  }
  WarnOfDetail(inputs, options, session);
  return {};
}

Result<void> FindBinariesOf(const Options& options, const LoadedInputs& inputs,
                            Profile& profile, Session& session) {
  if (auto mapped = MapUnmapped(options, inputs, profile); !mapped)
    return mapped;
  return session.symbolizer->FindModules(profile);
}

BinaryFinder MakeBinaryFinder(const Options& options, Session& session) {
  return [&options, &session](const LoadedInputs& inputs,
                              Profile& profile) -> Result<void> {
    if (!session.symbolizer)
      if (auto made = MakeSymbolizer(options, inputs, session); !made)
        return made;
    return FindBinariesOf(options, inputs, profile, session);
  };
}

Result<void> NameFrames(Profile& profile, Session& session) {
  session.progress.Enter("naming the frames");
  session.symbolizer->Symbolize(profile, session.diagnostics);
  NoteLimitedCalls(LimitInlinedCalls(profile), session.diagnostics);
  if (!CanDemangle() && HasMangledNames(profile))
    session.diagnostics.Note("names of C++ and Rust stay mangled, because " +
                             BuiltWithout("libiberty", "HEAPPROF_LIBIBERTY"));
  return CheckMappedFiles();
}

}  // namespace heapprof
