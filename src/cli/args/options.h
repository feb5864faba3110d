// SPDX-License-Identifier: Apache-2.0
//
// The parsed command line: values and compiled patterns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/args/check_choices.h"
#include "cli/args/choose_outputs.h"
#include "cli/args/command_table.h"
#include "cli/args/explain_choices.h"
#include "cli/args/record_choices.h"
#include "cli/args/trend_choices.h"
#include "cli/system/terminal.h"
#include "heapprof/base/error.h"
#include "heapprof/base/regex.h"
#include "heapprof/demangle/names.h"
#include "heapprof/index/index_cache.h"
#include "heapprof/profile/profile.h"
#include "heapprof/report/flamegraph_options.h"
#include "heapprof/symbolize/module_locator.h"
#include "heapprof/transform/filter_stacks.h"
#include "heapprof/transform/groups.h"
#include "heapprof/view/call_graph.h"
#include "heapprof/view/frame_labels.h"
#include "heapprof/view/units.h"

namespace heapprof {

enum class CacheAction : uint8_t { kList, kPrune, kClear };

// The address at which the first page of a file was mapped in a process whose
// dump has no memory map.
struct LoadBase {
  std::string file;  // empty: the binary on the command line
  uint64_t address = 0;
};

// How --flamegraph draws.
struct FlameOptions {
  std::string title;
  std::optional<size_t> width;      // pixels
  std::optional<double> min_width;  // pixels
  bool inverted = false;
  bool reverse = false;
  std::optional<FlamePalette> palette;
};

// How --proto writes a profile.
struct PprofChoices {
  std::vector<Metric> types;   // sample types; empty: all
  bool thread_labels = false;  // split samples by thread
  bool size_labels = false;    // label samples with the mean object size
  size_t max_samples = 0;      // 0 = no limit
};

// --each: every dump gets its own outputs.
struct EachChoice {
  bool is_chosen = false;
  // The other options but -o, in the canonical form of NormalizeArgs(): those
  // of each dump's own command line.
  std::vector<std::string> options = {};
};

// A value of --base or --new.
struct SideArgument {
  std::string_view option;  // "--base"
  std::string path;
};

// The value of an option that takes a pattern.
struct PatternArgument {
  std::string_view option;  // "focus"
  std::string pattern;
};

// What the command line says. ...Choices are what it says for one command only;
// the functions of other modules have ...Options, which the commands derive
// from this.
struct Options {
  Command command = Command::kReport;
  std::vector<std::string> args;  // as given, without the command
  // Binaries and profiles in any order, told apart by content.
  std::vector<std::string> files;
  std::vector<std::string> bases;
  std::vector<std::string> news;  // of --new; also in `files`
  // Without the files that follow them.
  std::vector<SideArgument> side_arguments;
  std::vector<PatternArgument> pattern_arguments;
  std::string maps;  // file with the memory map for dumps without one; or empty
  std::vector<std::string> perf_maps;  // empty: those next to the dumps

  LocatorOptions locator;
  std::vector<std::string> lib_prefix;   // also in `locator.symbol_path`
  std::vector<std::string> source_path;  // directories with source files
  std::string tools;                     // --tools; empty: see JeprofTools()
  std::string added_library;             // --add_lib; or empty
  std::vector<LoadBase> load_bases;
  bool use_debuginfod = false;           // ask the servers in DEBUGINFOD_URLS
  unsigned jobs = 0;                     // 0: DefaultJobs()
  std::optional<uint64_t> memory_limit;  // bytes; unset: see LimitMemory()
  // For pprof profiles. The last two members are used only for profiles that
  // do not contain this information.
  bool resymbolize = false;  // replace the names in the profile
  std::optional<AddressSpace> pprof_addresses;  // kind of the addresses
  uint64_t sample_period = 0;                   // bytes; 0 = unknown
  std::string sample_type;  // that is shown; empty: the usual ones
  uint64_t min_age = 0;     // of objects, in nanoseconds

  std::vector<std::string> index_dirs;  // folders with portable indexes
  // For Command::kIndex: also index binaries without debug information.
  bool allow_stripped = false;
  std::string index_output;  // the folder that it writes to

  // The cache of indexes. If `cache_directory` is empty, the environment says
  // where the cache is.
  bool use_cache = true;
  std::string cache_directory;
  uint64_t cache_size = kDefaultCacheSize;
  CacheAction cache_action = CacheAction::kList;  // for Command::kCache

  CheckChoices check;          // for Command::kCheck
  RecordChoices record;        // for Command::kRecord
  TrendChoices trend;          // for Command::kTrend
  ExplainChoices explain;      // for Command::kExplain
  std::vector<int> processes;  // for Command::kDump, and one for kDoctor
  std::string shell;           // for Command::kCompletion

  bool keep_allocator_frames = false;
  StackFilters filters;
  bool drop_negative = false;
  // UID, name, or "*" = each separately; empty = all together.
  std::string thread;

  GraphLimits graph;             // limits of call graphs
  double least_fraction = 0.01;  // of the total, for --callers and --callees
  std::optional<Regex> pattern;  // for --peek, --callers, --list, ...
  bool mark_leaks = false;       // in call graphs: --heapcheck
  FlameOptions flame;
  std::optional<uint64_t> markdown_budget;  // the most bytes of --markdown
  bool html_source = false;  // in HTML, the sources of the largest functions
  EachChoice each;
  // Never empty. With --each, the paths are patterns; see path_pattern.h.
  std::vector<Output> outputs{1};
  // The chosen table, which --json writes, too; null if no option chooses one.
  const OutputFormat* json_table = nullptr;
  // True if no option chooses an output, lays out a table or names a base. If
  // so, a run on a terminal shows the overview.
  bool is_default_output = false;
  Metric metric = Metric::kInuseSpace;
  bool is_metric_chosen = false;  // by the user
  // Of stacks and graphs, and of tables unless `rows` differs.
  Granularity granularity = Granularity::kFunctions;
  // Of tables with one row for each: kGroups with --groups, unless an option
  // chooses the granularity.
  Granularity rows = Granularity::kFunctions;
  std::optional<NameStyle> names;          // unset: the default of the output
  std::vector<std::string> group_sources;  // the values of --groups
  std::vector<Group> groups;               // what they name
  bool suggests_groups = false;            // for Command::kGroups
  bool sort_by_cumulative = false;
  bool show_bytes = false;
  bool show_errors = false;  // --ci
  PprofChoices pprof;
  // The names and values of --label.
  std::vector<std::pair<std::string, std::string>> labels;
  bool two_columns = false;
  std::optional<size_t> top;  // rows; 0 = all; unset = depends on the terminal

  ColorMode color = ColorMode::kAuto;
  bool quiet = false;
  bool verbose = false;
  bool show_help = false;
  bool is_help_short = false;  // -h
  // The word after `help`, or after --help if that is the only option; empty if
  // there is none. After --help, a word that is the name of a file is not a
  // topic.
  std::string help_topic;
  bool show_version = false;
};

// Returns true if --text shows the values before and after. It prints jeprof's
// table instead if there is no base, if the output goes to a pipe or file, or
// if the options ask for something that only jeprof's table can show.
bool ComparesOnTerminal(const Output& output, const Options& options);

// Returns the number of threads to use: at least 1.
unsigned JobCount(const Options& options);
// Returns how many threads are worth using for the samples of `profile`.
unsigned JobsFor(const Profile& profile, const Options& options);

// Returns the unit in which values are shown.
Unit UnitOf(const Options& options);

// Returns how reports label frames. All reports for people use the same form of
// names, so that a function found in one report can be found in the others.
LabelOptions LabelsOf(const Options& options);
// Returns the labels of the rows of tables that show all rows alike.
LabelOptions RowLabelsOf(const Options& options);

}  // namespace heapprof
