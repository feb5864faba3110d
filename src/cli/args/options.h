// SPDX-License-Identifier: Apache-2.0
//
// What the user asked for, as plain data. Parsing never touches a file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/args/choose_outputs.h"
#include "cli/system/terminal.h"
#include "heapprof/base/error.h"
#include "heapprof/demangle/names.h"
#include "heapprof/index/index_cache.h"
#include "heapprof/profile/profile.h"
#include "heapprof/symbolize/module_locator.h"
#include "heapprof/transform/filter_stacks.h"
#include "heapprof/transform/regex.h"
#include "heapprof/view/call_graph.h"
#include "heapprof/view/frame_labels.h"
#include "heapprof/view/units.h"

namespace heapprof {

// The first argument, if it is the word for one of these.
enum class Command : uint8_t { kReport, kInfo, kCache, kHelp };

enum class CacheAction : uint8_t { kList, kPrune, kClear };

// Where a file was in a process whose dump has no memory map.
struct LoadBase {
  std::string file;  // empty: the binary
  uint64_t address = 0;
};

struct Options {
  Command command = Command::kReport;
  std::vector<std::string> args;  // as given, without the command
  // Binaries and profiles in any order, told apart by content.
  std::vector<std::string> files;
  std::vector<std::string> bases;
  std::string maps;  // whose memory map dumps without one take; or empty
  std::vector<std::string> perf_maps;  // instead of those next to the dumps

  LocatorOptions locator;
  std::vector<std::string> source_path;  // folders of source files
  std::string tools;                     // where objdump is; empty: in PATH
  std::string added_library;  // mapped at its own addresses; or empty
  std::vector<LoadBase> load_bases;
  bool use_debuginfod = false;  // ask the servers in DEBUGINFOD_URLS
  unsigned jobs = 0;            // 0 = one per core
  // For pprof profiles: replace the names they carry; what addresses are that
  // nothing else tells; their sampling period in bytes, 0 = not known.
  bool resymbolize = false;
  std::optional<AddressSpace> pprof_addresses;
  uint64_t sample_period = 0;

  // Indexes of binaries that are kept between runs. Without a directory they
  // are where the environment says.
  bool use_cache = true;
  std::string cache_directory;
  uint64_t cache_size = kDefaultCacheSize;
  CacheAction cache_action = CacheAction::kList;  // of kCache

  bool keep_allocator_frames = false;
  StackFilters filters;
  bool drop_negative = false;
  std::string thread;  // UID, NAME, "*" = each apart; empty = all together

  GraphLimits graph;               // what a picture shows
  double least_fraction = 0.01;    // of the total: of --callers and --callees
  std::optional<Regex> pattern;    // of --peek, --callers, --list, ...
  bool mark_leaks = false;         // of a picture: jeprof's --heapcheck
  std::vector<Output> outputs{1};  // one or more
  // Nothing asks for a certain output or table: a terminal gets the overview.
  bool is_default_output = false;
  Metric metric = Metric::kInuseSpace;
  bool is_metric_chosen = false;  // by the user
  Granularity granularity = Granularity::kFunctions;
  std::optional<NameStyle> names;  // unset: what the output is used to
  bool sort_by_cumulative = false;
  bool show_bytes = false;
  bool json = false;  // of kInfo
  bool two_columns = false;
  std::optional<size_t> top;  // rows; 0 = all; unset = decided by the terminal

  ColorMode color = ColorMode::kAuto;
  bool quiet = false;
  bool verbose = false;
  bool show_help = false;
  // What follows `help`, or a lone --help, where it is no topic but jeprof's
  // switch if a file has that name; or empty.
  std::string help_topic;
  bool show_version = false;
};

// `args` without the program's name. Errors are of kind kUsage.
Result<Options> ParseArgs(std::span<const std::string> args);

// The number of threads to use.
unsigned JobCount(const Options& options);

// What values are shown in.
Unit UnitOf(const Options& options);

// One form of names for all reports that people read, so that a function found
// in one is found in the others.
LabelOptions LabelsOf(const Options& options);

}  // namespace heapprof
