// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/load.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "cli/args/choose_outputs.h"
#include "cli/inputs/dump_beside_log.h"
#include "cli/inputs/earlier_maps.h"
#include "cli/inputs/early_merge.h"
#include "cli/inputs/folder.h"
#include "cli/inputs/profile_loader.h"
#include "cli/inputs/read_files.h"
#include "cli/inputs/series.h"
#include "cli/inputs/several_dumps.h"
#include "heapprof/base/quoted_word.h"
#include "heapprof/compare/average_runs.h"
#include "heapprof/io/input_file.h"
#include "heapprof/profile/process_address.h"
#include "heapprof/profile/unloaded_libraries.h"
#include "heapprof/transform/split_runs.h"

namespace heapprof {
namespace {

// Finds the code of libraries that a process has unloaded between two dumps. A
// dump on the new side is the later one, as a rule. `taken` are the memory maps
// of those inputs that need no such code.
void RestoreUnloaded(std::span<const MergeInput> taken, LoadedInputs& inputs) {
  struct Process {
    std::vector<const Profile*> dumps = {};
    std::vector<Profile*> left = {};
  };
  std::map<std::pair<std::string, uint64_t>, Process> processes;
  const auto add = [&](const Profile& dump, Profile* left) {
    const uint64_t address = RandomAddress(dump);
    if (address == 0) return;
    Process& process =
        processes[{std::string(dump.String(dump.main_binary)), address}];
    process.dumps.push_back(&dump);
    if (left != nullptr) process.left.push_back(left);
  };
  for (const Side side : {Side::kBase, Side::kNew}) {
    for (const MergeInput& input : taken)
      if (input.side == side) add(input.profile, nullptr);
    for (MergeInput& input : inputs.profiles)
      if (input.side == side && !input.is_taken)
        add(input.profile, &input.profile);
  }
  for (const auto& [key, process] : processes) {
    if (process.dumps.size() < 2 || process.left.empty()) continue;
    UnloadedLibraries libraries;
    for (const Profile* const dump : process.dumps) libraries.Learn(*dump);
    for (Profile* const dump : process.left) libraries.Restore(*dump);
  }
}

// Returns whether the folder has a file that can be used.
Result<bool> LoadFolder(const std::string& path, LoadedInputs& inputs,
                        std::vector<std::string>& in_folders) {
  auto contents = ReadFolder(path);
  if (!contents) return std::unexpected(contents.error());
  const bool is_useful =
      !contents->elf_files.empty() || !contents->profiles.empty();
  for (std::string& file : contents->elf_files)
    inputs.folder_files.push_back(std::move(file));
  for (std::string& file : contents->profiles)
    in_folders.push_back(std::move(file));
  return is_useful;
}

// Returns the only profile found in the folder arguments, for a run whose
// arguments name no profile. Fails if the folders contain none or several.
// `folder` is the last folder, for messages.
Result<std::string> OnlyProfile(const std::vector<std::string>& in_folders,
                                const std::string& folder,
                                const LoadedInputs& inputs,
                                const Options& options) {
  if (in_folders.size() == 1) return in_folders.front();
  if (!in_folders.empty()) {
    return Fail(
        ErrorKind::kUsage,
        fmt::format("{}: {} profiles in the folder; name one, such as {}, {}",
                    folder, in_folders.size(), QuotedWord(in_folders.front()),
                    options.command == Command::kReport
                        ? "use 'heapprof trend', or write a file for each with "
                          "--each"
                        : "or use 'heapprof trend'"));
  }
  if (!folder.empty())
    return Fail(ErrorKind::kNoData,
                fmt::format("{}: no profile in the folder; its subfolders are "
                            "not searched, but may be named, as in {}/*",
                            folder, folder));
  if (!options.bases.empty())
    return Fail(ErrorKind::kUsage,
                fmt::format("no profile given, only a base ({}); name the one "
                            "to compare with it, too",
                            options.bases.front()));
  return Fail(ErrorKind::kUsage,
              inputs.binaries.empty()
                  ? std::string("no profile given, not even '-' for standard "
                                "input; see heapprof --help")
                  : fmt::format("no profile given, only a binary ({}); name a "
                                "dump, too, or make one with 'heapprof record'",
                                inputs.binaries.front()));
}

// What has been read so far.
struct Loaded {
  LoadedInputs inputs = {};
  // Logs from prof_log, which are read after all other arguments because they
  // need the memory map of a dump.
  std::vector<InputFile> logs = {};
};

// How all profiles are read.
struct LoadContext {
  ProfileLoader loader;
  bool keeps_runs = false;  // of a baseline; otherwise, they are averaged
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
    inputs.facts.push_back(
        FactsOf(file.path(), DetectFormat(file.bytes()), side));
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

Result<void> TakeArgument(LoadedFile read, const LoadContext& context,
                          Loaded& loaded, Diagnostics& diagnostics) {
  if (!read.file) return std::unexpected(read.file.error());
  diagnostics.Merge(read.diagnostics);
  if (read.kind == InputKind::kBinary) {
    loaded.inputs.binaries.push_back(read.file->path());
    return {};
  }
  if (!read.profile) {
    loaded.logs.push_back(std::move(*read.file));
    return {};
  }
  if (!*read.profile) return std::unexpected(read.profile->error());
  Add(*std::move(*read.profile), *read.file, context, loaded);
  return {};
}

// Reads a log, with the memory map from the dump at the path `dump`. If `dump`
// is empty, looks for a dump next to the log.
Result<Profile> LoadLog(const InputFile& log, std::string dump,
                        const LoadContext& context, Diagnostics& diagnostics) {
  if (dump.empty()) dump = DumpBesideLog(log.path());
  Diagnostics ignored;
  const auto maps = LoadMaps(dump, ignored);
  if (dump.empty() || !maps) return context.loader.Load(log, diagnostics, 1);
  diagnostics.Note(
      fmt::format("{}: read with the memory map of {}", log.path(), dump));
  return context.loader.LoadWith(&*maps, log, diagnostics, 1);
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

Result<void> TakeBase(LoadedFile read, const LoadRules& rules,
                      const LoadContext& context, LoadedInputs& inputs,
                      Diagnostics& diagnostics) {
  if (!read.file) return std::unexpected(read.file.error());
  diagnostics.Merge(read.diagnostics);
  if (read.kind == InputKind::kBinary && rules.takes_binary_as_base) {
    inputs.binaries.push_back(read.file->path());
    return {};
  }
  if (!read.profile)
    read.profile = read.kind == InputKind::kLog
                       ? LoadLog(*read.file, "", context, diagnostics)
                       : context.loader.Load(*read.file, diagnostics, 1);
  if (!*read.profile) return std::unexpected(read.profile->error());
  AddRuns(*std::move(*read.profile), *read.file, Side::kBase, context, inputs);
  return {};
}

Result<LoadContext> MakeContext(const Options& options, const LoadRules& rules,
                                Diagnostics& diagnostics) {
  auto loader = ProfileLoader::Make(options, diagnostics);
  if (!loader) return std::unexpected(loader.error());
  return LoadContext{.loader = *std::move(loader),
                     .keeps_runs = rules.are_runs || !options.bases.empty()};
}

// Reads the files of the command line, then the bases.
class InputLoader {
 public:
  InputLoader(const Options& options, const LoadRules& rules,
              const LoadContext& context, Diagnostics& diagnostics)
      : options_(options),
        rules_(rules),
        context_(context),
        diagnostics_(diagnostics),
        bases_(options.bases) {}

  Result<void> Load() {
    if (auto found = FindFiles(); !found) return found;
    const bool is_mean = rules_.are_runs || !bases_.empty();
    if (is_mean) DropRepeatedDumps();
    if (auto read = ReadAll(); !read) return read;
    if (is_mean || AddsUp(options_))
      for (const Side side : kSides)
        WarnOfOneMap(loaded_.inputs, side, is_mean ? "mean" : "sum",
                     diagnostics_);
    return {};
  }

  LoadedInputs Take() && { return std::move(loaded_.inputs); }

 private:
  // Tells the files from the folders, and lists the files in these.
  Result<void> FindFiles() {
    for (const std::string& path : InSeriesOrder(options_.files)) {
      std::error_code error;
      if (!std::filesystem::is_directory(path, error)) {
        files_.push_back(path);
        continue;
      }
      folder_ = path;
      const auto is_useful = LoadFolder(path, loaded_.inputs, in_folders_);
      if (!is_useful) return std::unexpected(is_useful.error());
      if (!*is_useful) useless_folders_.push_back(path);
    }
    return {};
  }

  void DropRepeatedDumps() {
    Diagnostics on_repeated;  // less important, so that it comes second
    DropRepeated(files_, "new side", on_repeated);
    DropRepeated(bases_, "base", on_repeated);
    if (rules_.are_runs) WarnOfBothSides(files_, bases_, diagnostics_);
    diagnostics_.Merge(on_repeated);
  }

  Result<void> ReadAll() {
    std::vector<std::string> paths = files_;
    paths.insert(paths.end(), bases_.begin(), bases_.end());
    EarlyMerge merge(options_, rules_, paths, files_.size(),
                     loaded_.inputs.folder_files);
    const auto take = [&](size_t i, LoadedFile read) -> Result<void> {
      auto taken = i < files_.size() ? TakeFile(std::move(read), paths[i])
                                     : TakeBaseFile(std::move(read));
      return taken ? merge.Take(loaded_.inputs) : taken;
    };
    if (auto done =
            ReadInTurn(paths, context_.loader, JobCount(options_), take);
        !done)
      return done;
    if (auto done = FinishFiles(); !done) return done;
    RestoreUnloaded(merge.maps(), loaded_.inputs);
    return {};
  }

  Result<void> TakeFile(LoadedFile read, const std::string& path) {
    auto taken = TakeArgument(std::move(read), context_, loaded_, diagnostics_);
    if (!taken) taken.error().message += AdviceOnOutput(path);
    return taken;
  }

  Result<void> TakeBaseFile(LoadedFile read) {
    if (auto done = FinishFiles(); !done) return done;
    return TakeBase(std::move(read), rules_, context_, loaded_.inputs,
                    diagnostics_);
  }

  // Does, once, what is to be done when all files are read, but no base.
  Result<void> FinishFiles() {
    if (std::exchange(are_files_done_, true)) return {};
    if (loaded_.inputs.profiles.empty() && loaded_.logs.empty()) {
      if (in_folders_.empty())
        if (auto taken = RefuseDumpAsPattern(options_); !taken) return taken;
      auto only = OnlyProfile(in_folders_, folder_, loaded_.inputs, options_);
      if (!only) return std::unexpected(only.error());
      auto done = TakeArgument(
          ReadAsProfile(*only, context_.loader, JobCount(options_)), context_,
          loaded_, diagnostics_);
      if (!done) return done;
    }
    for (const std::string& folder : useless_folders_)
      diagnostics_.Warn(
          WarningKind::kMissingFolder,
          fmt::format("{}: no binary, debug file or dump in the folder; its "
                      "subfolders are searched only with --symbol-path, "
                      "--debug-dir or --sysroot",
                      folder));
    if (auto done = LoadLogs(context_, loaded_, diagnostics_); !done)
      return done;
    return CheckSeries(loaded_.inputs, options_, rules_.are_runs, diagnostics_);
  }

  // Says how to write a file, if the argument is not one to be read but named
  // like the output: --html mem.html.
  std::string AdviceOnOutput(const std::string& path) const {
    const Output& output = options_.outputs.front();
    if (options_.command != Command::kReport || !output.path.empty() ||
        FormatOfName(path) != output.format)
      return "";
    return fmt::format("; -o {} writes it", QuotedWord(path));
  }

  const Options& options_;
  const LoadRules& rules_;
  const LoadContext& context_;
  Diagnostics& diagnostics_;
  Loaded loaded_;
  std::vector<std::string> files_;
  std::vector<std::string> bases_;
  std::vector<std::string> in_folders_;  // profiles
  std::string folder_;                   // the last one
  std::vector<std::string> useless_folders_;
  bool are_files_done_ = false;
};

}  // namespace

Result<void> RefuseDumpAsPattern(const Options& options) {
  for (const auto& [option, pattern] : options.pattern_arguments) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(pattern, error)) continue;
    const InputKind kind = KindOfFile(pattern);
    if (kind != InputKind::kBinary && kind != InputKind::kOther)
      return Fail(ErrorKind::kUsage,
                  fmt::format("--{0}={1} is taken as a pattern, and no dump is "
                              "left; name the pattern first: --{0}=PATTERN {1}",
                              option, pattern));
  }
  return {};
}

Result<LoadedInputs> LoadInputs(const Options& options, const LoadRules& rules,
                                Diagnostics& diagnostics) {
  const auto context = MakeContext(options, rules, diagnostics);
  if (!context) return std::unexpected(context.error());
  InputLoader loader(options, rules, *context, diagnostics);
  if (auto done = loader.Load(); !done) return std::unexpected(done.error());
  return std::move(loader).Take();
}

struct EachLoader::Shared {
  LoadContext context;
  LoadedInputs binaries;
  EarlierMaps earlier_maps;
  // Read once, and copied for each dump.
  LoadedInputs bases = {};
  // What is to be said of each dump: about the files of --maps and --perf-map,
  // and about the bases.
  Diagnostics on_options = {}, on_bases = {};
};

EachLoader::EachLoader(std::unique_ptr<const Shared> shared)
    : shared_(std::move(shared)) {}
EachLoader::EachLoader(EachLoader&& other) noexcept = default;
EachLoader::~EachLoader() = default;

Result<EachLoader> EachLoader::Make(const Options& options,
                                    LoadedInputs binaries,
                                    const std::vector<std::string>& dumps) {
  Diagnostics on_options;
  auto context = MakeContext(options, {}, on_options);
  if (!context) return std::unexpected(context.error());
  auto shared =
      std::make_unique<Shared>(Shared{.context = *std::move(context),
                                      .binaries = std::move(binaries),
                                      .earlier_maps = EarlierMaps(dumps),
                                      .on_options = std::move(on_options)});
  if (auto runs = RefuseSeries(options.bases, "base"); !runs)
    return std::unexpected(runs.error());
  std::vector<std::string> bases = options.bases;
  DropRepeated(bases, "base", shared->on_bases);
  const auto take = [&shared](size_t, LoadedFile read) {
    return TakeBase(std::move(read), {}, shared->context, shared->bases,
                    shared->on_bases);
  };
  if (auto read =
          ReadInTurn(bases, shared->context.loader, JobCount(options), take);
      !read)
    return std::unexpected(read.error());
  return EachLoader(std::move(shared));
}

Result<LoadedInputs> EachLoader::Load(const std::string& path,
                                      Diagnostics& diagnostics) const {
  diagnostics.Merge(shared_->on_options);
  Loaded loaded;
  LoadedInputs& inputs = loaded.inputs;
  inputs.binaries = shared_->binaries.binaries;
  inputs.folder_files = shared_->binaries.folder_files;
  if (auto done = TakeArgument(ReadAsProfile(path, shared_->context.loader, 1),
                               shared_->context, loaded, diagnostics);
      !done)
    return std::unexpected(done.error());
  if (auto done = LoadLogs(shared_->context, loaded, diagnostics); !done)
    return std::unexpected(done.error());
  if (inputs.profiles.empty())
    return Fail(ErrorKind::kNoData,
                fmt::format("{}: a binary, not a dump", path));
  for (MergeInput& input : inputs.profiles)
    shared_->earlier_maps.Restore(path, input.profile);
  const LoadedInputs& bases = shared_->bases;
  diagnostics.Merge(shared_->on_bases);
  std::ranges::copy(bases.profiles, std::back_inserter(inputs.profiles));
  std::ranges::copy(bases.facts, std::back_inserter(inputs.facts));
  RestoreUnloaded({}, inputs);
  return std::move(inputs);
}

}  // namespace heapprof
