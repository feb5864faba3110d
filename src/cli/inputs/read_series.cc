// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/read_series.h"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <system_error>
#include <utility>

#include <fmt/core.h>

#include "cli/inputs/folder.h"
#include "cli/inputs/input_facts.h"
#include "cli/inputs/left_out.h"
#include "cli/inputs/metrics.h"
#include "cli/inputs/profile_loader.h"
#include "cli/inputs/read_files.h"
#include "cli/inputs/series.h"
#include "heapprof/base/nanoseconds.h"
#include "heapprof/base/nearly_all.h"
#include "heapprof/profile/process_address.h"
#include "heapprof/profile/stack_changes.h"
#include "heapprof/profile/unloaded_libraries.h"
#include "heapprof/record/dump_name.h"
#include "heapprof/transform/collect_snapshots.h"

namespace heapprof {
namespace {

// Why a file is left out. Empty text: it is not.
struct Problem {
  std::string text = {};
  // What its process held at that time is lost. Otherwise, the file is no dump
  // of the series.
  bool is_damage = false;
};

class SeriesReader {
 public:
  SeriesReader(const ProfileLoader& loader, const DumpVisitor& visit,
               Options& options, Diagnostics& diagnostics)
      : loader_(loader),
        visit_(visit),
        options_(options),
        diagnostics_(diagnostics) {}

  // Takes a file that was read. Fails only if the run cannot go on.
  Result<void> Take(const SeriesFile& file, const std::string& process,
                    LoadedFile read) {
    const auto problem = TryTake(file, process, std::move(read));
    if (!problem) return std::unexpected(problem.error());
    DumpCounts& counts = counts_[process];
    if (problem->text.empty())
      ++counts.taken;
    else
      left_out_.Add(file.path, problem->text);
    if (problem->is_damage) ++counts.damaged;
    return {};
  }

  // A gate that judges the smaller part of a process's dumps could pass because
  // of those that it does not see. A single dump has no trend in any case.
  Result<void> CheckEnoughForGate() {
    left_out_.Note(diagnostics_);
    if (!options_.trend.limit) return {};
    for (const auto& [process, counts] : counts_)
      if (counts.damaged >= counts.taken && counts.damaged + counts.taken > 1)
        return Fail(ErrorKind::kNoData,
                    fmt::format("trend: {}{} of {} dumps {} damaged, too many "
                                "for --fail-on to tell",
                                process.empty() ? "" : process + ": ",
                                counts.damaged, counts.damaged + counts.taken,
                                counts.damaged == 1 ? "is" : "are"));
    return {};
  }

  std::vector<CollectedSeries> Finish() && {
    std::map<std::string, size_t> runs;  // by process
    std::vector<CollectedSeries> all;
    for (auto& [key, open] : series_) {
      ++runs[key.process];
      const size_t count = LeaveOutTheEnd(open);
      all.push_back({.process = key.process,
                     .program = key.program,
                     .snapshots = std::move(open.collector).Finish(),
                     .dumps = std::move(open.dumps)});
      all.back().snapshots.dumps.resize(count);
    }
    left_out_.Note(diagnostics_);
    for (const auto& [process, count] : runs)
      if (!process.empty() && count > 1)
        diagnostics_.Note(fmt::format(
            "{}: {} processes have had this number; they are told apart by "
            "their programs and memory maps",
            process, count));
    std::ranges::stable_sort(all, {}, [](const CollectedSeries& series) {
      return series.dumps.front().time_ns;
    });
    return all;
  }

 private:
  // What all dumps of a series have in common.
  struct Key {
    std::string process = {};
    std::string program = {};
    std::string build_id = {};
    // An address that differs between processes; 0 if the name of the dump does
    // not tell the process. In a container, a process that is restarted has the
    // same number as before.
    uint64_t start = 0;

    auto operator<=>(const Key&) const = default;
  };

  static Key KeyOf(const std::string& process, const Profile& profile) {
    Key key = {.process = process,
               .program = std::string(profile.String(profile.main_binary)),
               .build_id = std::string(BuildIdOfProgram(profile))};
    if (!process.empty()) key.start = RandomAddress(profile);
    return key;
  }

  struct DumpCounts {
    size_t taken = 0;
    size_t damaged = 0;
  };

  struct OpenSeries {
    SnapshotCollector collector;
    std::vector<TrendDump> dumps = {};
    std::vector<double> live = {};  // bytes, by dump
    bool has_memory_map = false;
    SampledProcess last = {};  // that of the last dump
  };

  OpenSeries NewSeries() const {
    const CollectOptions collect = {
        .metric = options_.metric,
        .keeps_threads = options_.trend.By() == TrendBy::kThread};
    return {.collector = SnapshotCollector(collect)};
  }

  Result<Problem> TryTake(const SeriesFile& file, const std::string& process,
                          LoadedFile read) {
    if (!read.file)
      return Problem{.text = read.file.error().message, .is_damage = true};
    if (read.kind == InputKind::kLog)
      return Problem{fmt::format("{}: a log, not a snapshot", file.path)};
    const Diagnostics& found = read.diagnostics;
    auto& profile = *read.profile;
    if (!profile) {
      const Error& error = profile.error();
      if (error.kind == ErrorKind::kUsage) return std::unexpected(error);
      return Problem{.text = error.message,
                     .is_damage = error.kind != ErrorKind::kOtherFormat ||
                                  !process.empty()};
    }
    if (HasLostSamples(found))
      return Problem{.text = FirstDamage(found), .is_damage = true};
    if (!HasValue(*profile, Chosen(*profile)))
      return Problem{fmt::format("{}: it has no samples", file.path)};
    if (auto ok = CheckMetrics(*profile, file.path, options_); !ok)
      return Problem{ok.error().message};
    if (std::ranges::find(profile->samples, Side::kBase, &Sample::side) !=
        profile->samples.end())
      return Problem{
          fmt::format("{}: it is a difference, not a snapshot", file.path)};
    const double live =
        TotalOf(*profile, Side::kNew)[Metric::kInuseSpace].value;
    RestoreUnloaded(process, *profile);
    if (auto done = visit_(file.path, *profile); !done)
      return std::unexpected(done.error());
    auto problem = Add(file, process, *std::move(profile), live);
    if (problem.text.empty()) diagnostics_.Merge(found);
    return problem;
  }

  // Finds the code of libraries that the process has unloaded since an earlier
  // dump.
  void RestoreUnloaded(const std::string& process, Profile& profile) {
    Key key = KeyOf(process, profile);
    key.start = RandomAddress(profile);
    if (process.empty() && key.start == 0) return;
    UnloadedLibraries& libraries = libraries_[key];
    libraries.Restore(profile);
    libraries.Learn(profile);
  }

  // Returns the first damage, but not that only a part is therefore ignored:
  // the whole dump is.
  static std::string FirstDamage(const Diagnostics& found) {
    for (const auto& warning : found.warnings()) {
      if (!LosesSamples(warning.kind)) continue;
      const std::string& damage = warning.messages.front();
      return damage.ends_with(" ignored") ? damage.substr(0, damage.rfind(';'))
                                          : damage;
    }
    return "";
  }

  // Returns the metric of the trend, which the first dump decides.
  Metric Chosen(const Profile& profile) {
    if (!options_.is_metric_chosen && series_.empty() && !profile.has_inuse &&
        profile.has_accumulated)
      ShowAllocations(options_, diagnostics_);
    return options_.metric;
  }

  // `live` are the live bytes of the dump.
  Problem Add(const SeriesFile& file, const std::string& process,
              Profile profile, double live) {
    OpenSeries& series = SeriesOf(KeyOf(process, profile));
    const bool has_map = profile.has_memory_map || loader_.has_maps();
    if (!has_map && series.has_memory_map)
      return Problem{fmt::format("{}: it has no memory map", file.path)};
    SampledProcess sampled = SampledProcessOf(profile);
    if (IsResetBetween(series.last, sampled)) Restart(series, file.path);
    series.last = std::move(sampled);
    series.has_memory_map |= has_map;
    series.dumps.push_back(
        {.path = file.path,
         .time_ns = file.time_ns / kNanosecondsPerSecond == profile.time_seconds
                        ? file.time_ns
                        : profile.time_seconds * kNanosecondsPerSecond,
         .sequence = ParseDumpName(file.path).value_or(DumpName()).sequence});
    series.live.push_back(live);
    series.collector.Add(std::move(profile));
    return {};
  }

  // Removes the dumps that were written while the program freed its memory
  // before it ended: a leak that is freed at the end is still a leak. Returns
  // how many are left.
  size_t LeaveOutTheEnd(OpenSeries& series) {
    std::vector<std::string> paths;
    for (const TrendDump& dump : series.dumps) paths.push_back(dump.path);
    const std::vector<double>& live = series.live;
    const size_t count = CountBeforeTheEnd(paths, live);
    for (size_t i = count; i < paths.size(); ++i)
      left_out_.Add(
          paths[i],
          IsNearlyNothing(live[i], live[count - 1])
              ? "the program had freed nearly all of its memory before it ended"
              : "the program had freed half of its memory or more, maybe "
                "because it ended; a later dump would tell");
    series.dumps.resize(count);
    return count;
  }

  // Leaves out the dumps before `path`.
  void Restart(OpenSeries& series, const std::string& path) {
    diagnostics_.Note(fmt::format(
        "left out: the {} before {}: the sampling rate changes there, and "
        "prof.reset has dropped what was sampled before",
        series.dumps.size() == 1 ? "dump"
                                 : fmt::format("{} dumps", series.dumps.size()),
        path));
    series = NewSeries();
  }

  // A dump that does not name its program joins the first series of its
  // process, whatever program that is of. Without the end of its memory map, it
  // names the program, but may not tell the processes apart.
  OpenSeries& SeriesOf(const Key& key) {
    if (!key.process.empty() && (key.program.empty() || key.start == 0))
      for (auto it = series_.lower_bound({.process = key.process});
           it != series_.end() && it->first.process == key.process; ++it)
        if (key.program.empty() || it->first.program == key.program)
          return it->second;
    return series_.try_emplace(key, NewSeries()).first->second;
  }

  const ProfileLoader& loader_;
  const DumpVisitor& visit_;
  Options& options_;
  Diagnostics& diagnostics_;
  LeftOutDumps left_out_;
  std::map<Key, OpenSeries> series_;
  std::map<Key, UnloadedLibraries> libraries_;
  std::map<std::string, DumpCounts> counts_;  // by process
};

}  // namespace

std::vector<std::string> SeriesArguments::BinaryArguments() const {
  std::vector<std::string> all = binaries;
  all.insert(all.end(), elf_folders.begin(), elf_folders.end());
  return all;
}

Result<SeriesArguments> SortSeriesArguments(const Options& options) {
  SeriesArguments arguments;
  for (const std::string& path : options.files) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
      auto contents = ReadFolder(path);
      if (!contents) return std::unexpected(contents.error());
      arguments.folders.push_back(path);
      if (!contents->elf_files.empty())
        arguments.elf_folders.push_back(path);
      else if (contents->profiles.empty() && contents->broken.empty())
        arguments.useless_folders.push_back(path);
      std::ranges::move(contents->elf_files,
                        std::back_inserter(arguments.folder_files));
      for (const auto* dumps : {&contents->profiles, &contents->broken})
        std::ranges::copy(*dumps, std::back_inserter(arguments.dumps));
      std::ranges::move(contents->profiles,
                        std::back_inserter(arguments.folder_dumps));
    } else if (std::filesystem::is_regular_file(path, error) &&
               KindOfFile(path) == InputKind::kBinary) {
      arguments.binaries.push_back(path);
    } else {
      arguments.dumps.push_back(path);
      arguments.names_dumps = true;
    }
  }
  return arguments;
}

Result<bool> HasSeries(const SeriesArguments& arguments,
                       const Options& options) {
  const auto is_series = [](const FileSeries& series) {
    return series.IsOfOneProcess() && series.files.size() > 1;
  };
  std::vector<FileSeries> all = FindSeries(arguments.dumps);
  if (std::ranges::any_of(all, is_series)) return true;
  const auto others = std::ranges::find(all, "", &FileSeries::process);
  if (others == all.end() || others->files.size() < 2) return false;
  Diagnostics ignored;
  const auto loader = ProfileLoader::Make(options, ignored);
  if (!loader) return std::unexpected(loader.error());
  std::vector<SeriesFile> files;
  for (const size_t i : others->files) {
    SeriesFile file = DescribeFile(arguments.dumps[i]);
    // What is read from a pipe would be lost.
    if (file.time_ns == 0) return false;
    const auto input = OpenProfile(file.path);
    if (!input) return false;
    const auto profile = loader->Load(*input, ignored, 1);
    if (!profile) return false;
    file.program = profile->String(profile->main_binary);
    files.push_back(std::move(file));
    if (std::ranges::any_of(FindSeries(files), is_series)) return true;
  }
  return false;
}

Result<std::vector<CollectedSeries>> ReadSeries(
    const std::vector<std::string>& dumps, const DumpVisitor& visit,
    Options& options, Diagnostics& diagnostics) {
  const auto loader = ProfileLoader::Make(options, diagnostics);
  if (!loader) return std::unexpected(loader.error());
  SeriesReader reader(*loader, visit, options, diagnostics);
  std::vector<std::string> paths, processes;
  for (const FileSeries& series : FindSeries(dumps)) {
    for (const size_t i : series.files) paths.push_back(dumps[i]);
    processes.resize(paths.size(), series.process);
  }
  const auto take = [&](size_t i, LoadedFile read) {
    return reader.Take(DescribeFile(paths[i]), processes[i], std::move(read));
  };
  if (auto read = ReadInTurn(paths, *loader, JobCount(options), take); !read)
    return std::unexpected(read.error());
  if (auto enough = reader.CheckEnoughForGate(); !enough)
    return std::unexpected(enough.error());
  std::vector<CollectedSeries> all = std::move(reader).Finish();
  if (all.empty())
    return Fail(ErrorKind::kNoData, "no dump is left to show a trend of");
  return all;
}

}  // namespace heapprof
