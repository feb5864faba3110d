// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/load.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/inputs/dump_names.h"
#include "cli/inputs/folder.h"
#include "cli/inputs/perf_maps.h"
#include "heapprof/base/base_name.h"
#include "heapprof/compare/average_runs.h"
#include "heapprof/io/input_file.h"
#include "heapprof/transform/split_runs.h"

namespace heapprof {
namespace {

// The options and perf maps (names of JIT-compiled functions) with which all
// profiles are read.
struct LoadContext {
  ParseOptions parse;
  std::vector<PerfMap> perf_maps;
  bool keeps_runs = false;  // of a baseline; otherwise, they are averaged
};

// True if samples of the input are missing or wrong. Without a memory map, only
// names are missing.
bool HasLostSamples(const Diagnostics& diagnostics) {
  return std::ranges::any_of(diagnostics.warnings(), [](const auto& warning) {
    return IsDamage(warning.kind) && warning.kind != WarningKind::kNoMemoryMap;
  });
}

Result<Profile> Load(const InputFile& file, const LoadContext& context,
                     Diagnostics& diagnostics) {
  Diagnostics found;
  if (!file.inflate_problem().empty())
    found.Warn(WarningKind::kTruncated,
               fmt::format("{}: {}", file.path(), file.inflate_problem()));
  auto profile = ParseProfile(file.bytes(), file.path(), found, context.parse);
  diagnostics.Merge(found);
  if (auto whole = CheckMappedFiles(); !whole)
    return std::unexpected(whole.error());
  if (!profile) return profile;
  if (profile->samples.empty() && HasLostSamples(found))
    return Fail(ErrorKind::kBadFormat,
                fmt::format("{}: damaged beyond use: it has no sample that can "
                            "be read",
                            file.path()));
  if (profile->time_seconds == 0) profile->time_seconds = file.mtime();
  NameGeneratedCode(*profile, PerfMap::OfRecorder(*profile));
  NameGeneratedCode(*profile, file.path(), context.perf_maps, diagnostics);
  return profile;
}

// Warns if several dumps of one process are added up. Their sum is meaningless,
// because each dump is a full snapshot.
void WarnOfSeries(const std::vector<std::string>& dumps,
                  Diagnostics& diagnostics) {
  std::set<std::string> seen;
  for (const std::string& dump : dumps) {
    const std::string process = ProcessOfDump(dump);
    if (process.empty() || seen.insert(process).second) continue;
    diagnostics.Warn(
        WarningKind::kSeveralDumps,
        fmt::format("several dumps of {} are added up, though each is a full "
                    "snapshot; compare two with --base",
                    process));
  }
}

// Fails if a side of a comparison has several dumps of one process. A side is
// the mean of its dumps, and that of snapshots of a process that grows is no
// state that the process was in.
Result<void> RefuseSeries(const std::vector<std::string>& dumps,
                          std::string_view side) {
  std::map<std::string, std::string> first;
  for (const std::string& dump : dumps) {
    const std::string process = ProcessOfDump(dump);
    if (process.empty()) continue;
    const auto [it, added] = first.try_emplace(process, dump);
    if (added || it->second == dump) continue;
    return Fail(
        ErrorKind::kUsage,
        fmt::format("{} and {} are snapshots of one process, so their mean is "
                    "no state of it: name one of them as the {}",
                    it->second, BaseName(dump), side));
  }
  return {};
}

Result<void> CheckSeries(const LoadedInputs& inputs, const Options& options,
                         bool are_runs, Diagnostics& diagnostics) {
  std::vector<std::string> paths;
  for (const InputFacts& facts : inputs.facts) paths.push_back(facts.path);
  if (options.bases.empty()) {
    if (!are_runs) WarnOfSeries(paths, diagnostics);
    return {};
  }
  if (auto runs = RefuseSeries(paths, "new side"); !runs) return runs;
  return RefuseSeries(options.bases, "base");
}

Result<void> LoadFolder(const std::string& path, LoadedInputs& inputs,
                        std::vector<std::string>& in_folders) {
  auto contents = ReadFolder(path);
  if (!contents) return std::unexpected(contents.error());
  for (std::string& file : contents->elf_files)
    inputs.folder_files.push_back(std::move(file));
  for (std::string& file : contents->profiles)
    in_folders.push_back(std::move(file));
  return {};
}

// Returns the only profile found in the folder arguments, for a run whose
// arguments name no profile. Fails if the folders contain none or several.
// `folder` is the last folder, for messages.
Result<std::string> OnlyProfile(const std::vector<std::string>& in_folders,
                                const std::string& folder,
                                const LoadedInputs& inputs) {
  if (in_folders.size() == 1) return in_folders.front();
  if (!in_folders.empty()) {
    constexpr size_t kListed = 3;
    const size_t listed = std::min(in_folders.size(), kListed);
    return Fail(ErrorKind::kUsage,
                fmt::format("{}: {} profiles in the folder, name one: {}{}",
                            folder, in_folders.size(),
                            fmt::join(in_folders.begin(),
                                      in_folders.begin() +
                                          static_cast<ptrdiff_t>(listed),
                                      ", "),
                            in_folders.size() > listed ? ", ..." : ""));
  }
  if (!folder.empty())
    return Fail(ErrorKind::kNoData,
                fmt::format("{}: no profile in the folder; its subfolders "
                            "are not searched",
                            folder));
  return Fail(ErrorKind::kUsage,
              inputs.binaries.empty()
                  ? std::string("no profile given; see heapprof --help")
                  : fmt::format("no profile given, only a binary ({}); "
                                "usage: heapprof [options] [BINARY] DUMP...",
                                inputs.binaries.front()));
}

bool IsNumber(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

// Returns true for an argument such as "localhost:8080/pprof/heap". If there is
// no file of this name, jeprof would fetch the profile from that address.
bool LooksLikeAnAddress(std::string_view path) {
  const std::string_view host_and_port = path.substr(0, path.find('/'));
  const size_t colon = host_and_port.rfind(':');
  if (colon == path.npos || colon == 0) return false;
  constexpr std::string_view kInHosts =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-[:]";
  return host_and_port.substr(0, colon).find_first_not_of(kInHosts) ==
             path.npos &&
         IsNumber(host_and_port.substr(colon + 1));
}

Result<InputFile> OpenProfile(const std::string& path) {
  auto file = InputFile::Open(path, CheckPackedHead);
  std::error_code error;
  if (!file && LooksLikeAnAddress(path) &&
      !std::filesystem::exists(path, error))
    return Fail(ErrorKind::kUsage,
                fmt::format("{0:.200}: heapprof reads files; fetch the profile "
                            "first, for example with curl -o server.heap "
                            "http://{0:.200}",
                            path));
  return file;
}

// What has been read so far.
struct Loaded {
  LoadedInputs inputs = {};
  // Logs from prof_log, which are read after all other arguments because they
  // need the memory map of a dump.
  std::vector<InputFile> logs = {};
};

// Adds the runs in `profile`. There is only one, unless the profile is a
// baseline of `heapprof check` that was saved from several runs. In a
// comparison they are the runs of a side; otherwise, their mean is shown.
void AddRuns(Profile profile, const InputFile& file, Side side,
             const LoadContext& context, LoadedInputs& inputs) {
  std::vector<Profile> runs;
  if (context.keeps_runs) {
    runs = SplitRuns(std::move(profile));
  } else {
    AverageRuns(profile);
    runs.push_back(std::move(profile));
  }
  for (Profile& run : runs) {
    inputs.profiles.push_back({std::move(run), side});
    inputs.facts.push_back({.path = file.path(),
                            .format = &DetectFormat(file.bytes()),
                            .side = side});
  }
}

void Add(Profile profile, const InputFile& file, const LoadContext& context,
         Loaded& loaded) {
  if (loaded.inputs.facts.empty()) {
    loaded.inputs.first_dump = file.path();
    loaded.inputs.first_format = &DetectFormat(file.bytes());
  }
  AddRuns(std::move(profile), file, Side::kNew, context, loaded.inputs);
}

Result<void> LoadArgument(const std::string& path, const LoadContext& context,
                          Loaded& loaded, Diagnostics& diagnostics) {
  auto file = OpenProfile(path);
  if (!file) return std::unexpected(file.error());
  const InputKind kind = DetectFormat(file->bytes()).kind;
  if (kind == InputKind::kBinary) {
    loaded.inputs.binaries.push_back(path);
    return {};
  }
  if (kind == InputKind::kLog && context.parse.maps == nullptr) {
    loaded.logs.push_back(std::move(*file));
    return {};
  }
  auto profile = Load(*file, context, diagnostics);
  if (!profile) return std::unexpected(profile.error());
  Add(std::move(*profile), *file, context, loaded);
  return {};
}

// Reads the memory map in the file `path`; returns an empty map if `path` is
// empty.
Result<MemoryMap> LoadMaps(const std::string& path, Diagnostics& diagnostics) {
  if (path.empty()) return MemoryMap();
  const auto file = InputFile::Open(path);
  if (!file) return std::unexpected(file.error());
  return ParseMaps(file->bytes(), file->path(), diagnostics);
}

// Reads a log, with the memory map from the dump at the path `dump`. If `dump`
// is empty, looks for a dump next to the log.
Result<Profile> LoadLog(const InputFile& log, std::string dump,
                        LoadContext context, Diagnostics& diagnostics) {
  if (dump.empty()) dump = DumpBesideLog(log.path());
  Diagnostics ignored;
  const auto maps = LoadMaps(dump, ignored);
  if (!dump.empty() && maps) {
    context.parse.maps = &*maps;
    diagnostics.Note(
        fmt::format("{}: read with the memory map of {}", log.path(), dump));
  }
  return Load(log, context, diagnostics);
}

// Reads the logs. If dumps with a memory map are given together with logs, only
// the map of the first dump is used. The samples of these dumps are dropped,
// because the logs describe the same process.
Result<void> LoadLogs(const LoadContext& context, Loaded& loaded,
                      Diagnostics& diagnostics) {
  if (loaded.logs.empty()) return {};
  std::string dump;
  for (size_t i = loaded.inputs.facts.size(); i-- > 0;) {
    if (!loaded.inputs.profiles[i].profile.has_memory_map) continue;
    dump = loaded.inputs.facts[i].path;
    const auto at = static_cast<ptrdiff_t>(i);
    loaded.inputs.profiles.erase(loaded.inputs.profiles.begin() + at);
    loaded.inputs.facts.erase(loaded.inputs.facts.begin() + at);
  }
  for (const InputFile& log : loaded.logs) {
    auto profile = LoadLog(log, dump, context, diagnostics);
    if (!profile) return std::unexpected(profile.error());
    Add(std::move(*profile), log, context, loaded);
  }
  return {};
}

}  // namespace

Result<LoadedInputs> LoadInputs(const Options& options, const LoadRules& rules,
                                Diagnostics& diagnostics) {
  auto maps = LoadMaps(options.maps, diagnostics);
  if (!maps) return std::unexpected(maps.error());
  auto perf_maps = LoadPerfMaps(options.perf_maps, diagnostics);
  if (!perf_maps) return std::unexpected(perf_maps.error());
  const LoadContext context = {
      .parse = {.maps = options.maps.empty() ? nullptr : &*maps,
                .sample_period = options.sample_period,
                .sample_type = options.sample_type,
                .min_age = options.min_age},
      .perf_maps = std::move(*perf_maps),
      .keeps_runs = rules.are_runs || !options.bases.empty()};
  Loaded loaded;
  LoadedInputs& inputs = loaded.inputs;
  std::vector<std::string> in_folders;
  std::string folder;
  for (const std::string& path : options.files) {
    std::error_code error;
    const bool is_folder = std::filesystem::is_directory(path, error);
    if (is_folder) folder = path;
    auto done = is_folder ? LoadFolder(path, inputs, in_folders)
                          : LoadArgument(path, context, loaded, diagnostics);
    if (!done) return std::unexpected(done.error());
  }
  if (inputs.profiles.empty() && loaded.logs.empty()) {
    auto only = OnlyProfile(in_folders, folder, inputs);
    if (!only) return std::unexpected(only.error());
    auto done = LoadArgument(*only, context, loaded, diagnostics);
    if (!done) return std::unexpected(done.error());
  }
  if (auto done = LoadLogs(context, loaded, diagnostics); !done)
    return std::unexpected(done.error());
  if (auto runs = CheckSeries(inputs, options, rules.are_runs, diagnostics);
      !runs)
    return std::unexpected(runs.error());
  for (const std::string& path : options.bases) {
    const auto file = OpenProfile(path);
    if (!file) return std::unexpected(file.error());
    const InputKind kind = DetectFormat(file->bytes()).kind;
    if (kind == InputKind::kBinary && rules.takes_binary_as_base) {
      inputs.binaries.push_back(path);
      continue;
    }
    const bool is_log =
        kind == InputKind::kLog && context.parse.maps == nullptr;
    auto profile = is_log ? LoadLog(*file, "", context, diagnostics)
                          : Load(*file, context, diagnostics);
    if (!profile) return std::unexpected(profile.error());
    AddRuns(*std::move(profile), *file, Side::kBase, context, inputs);
  }
  return std::move(inputs);
}

}  // namespace heapprof
