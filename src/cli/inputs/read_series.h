// SPDX-License-Identifier: Apache-2.0
//
// Reads many dumps, one after the other, and collects those of each process.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/args/options.h"
#include "cli/inputs/series.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/profile/snapshots.h"
#include "heapprof/view/trend_table.h"

namespace heapprof {

// The arguments of a command that takes many dumps.
struct SeriesArguments {
  std::vector<std::string> binaries;
  std::vector<std::string> folders;
  std::vector<std::string> elf_folders;      // those with ELF files
  std::vector<std::string> useless_folders;  // neither dumps nor ELF files
  std::vector<std::string> folder_files;     // ELF files in folders
  std::vector<std::string> dumps;            // also those in folders
  // Of these, those in folders, without files that are only named like dumps.
  std::vector<std::string> folder_dumps;
  bool names_dumps = false;  // apart from those in folders

  // Returns what a command about one of the dumps has to name besides.
  std::vector<std::string> BinaryArguments() const;
};

// Tells the files apart by their first bytes, and lists those in folders. Takes
// whatever else is named for a dump.
Result<SeriesArguments> SortSeriesArguments(const Options& options);

// True if at least two of the dumps are of one process: by their names or, of
// others, by their programs. Reads the latter.
Result<bool> HasSeries(const SeriesArguments& arguments,
                       const Options& options);

// The dumps of one process.
struct CollectedSeries {
  std::string process;  // as FileSeries::process
  std::string program;  // path; empty if unknown
  Snapshots snapshots;
  std::vector<TrendDump> dumps;  // those of `snapshots`
};

// What is done with each dump once it has been read, such as finding its
// binaries.
using DumpVisitor =
    std::function<Result<void>(const std::string& path, Profile& profile)>;

// Reads the dumps and returns the series in the order of their first dumps.
// Leaves out what is damaged, empty or no dump, and what CountBeforeTheEnd()
// leaves out, with a note for each file; fails only if nothing is left, or too
// little for Options::trend.limit. `options` may get another metric; see
// ChooseMetric().
Result<std::vector<CollectedSeries>> ReadSeries(
    const std::vector<std::string>& dumps, const DumpVisitor& visit,
    Options& options, Diagnostics& diagnostics);

}  // namespace heapprof
