// SPDX-License-Identifier: Apache-2.0
#include "cli/args/option_table.h"

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

#include "cli/args/option_setters.h"
#include "cli/args/output_table.h"

namespace heapprof {
namespace {

using enum OptionKind;
using enum OptionOrigin;
using enum OptionGroup;

constexpr std::string_view kNoPrompt =
    "there is no prompt; name an output, such as --text or --collapsed";
constexpr std::string_view kNoViewer =
    "heapprof starts no viewer; write a picture with --svg or --pdf and open "
    "that";
constexpr std::string_view kNoContention =
    "heapprof reads heap profiles; use pprof for contention profiles";
constexpr std::string_view kNoSelfTest =
    "it ran a self-test of jeprof; heapprof's tests run with ctest";

// The setter for options of `heapprof check` that can also be set in a budgets
// file.
template <auto kSetting>
constexpr OptionSetter StoreSetting =
    Store<&Options::check, &CheckChoices::settings, kSetting>;
template <auto kSetting>
constexpr OptionSetter StoreSettingChoice =
    StoreChoice<&Options::check, &CheckChoices::settings, kSetting>;

constexpr OptionSpec Retired(std::string_view name, OptionKind kind,
                             std::string_view replacement) {
  return {name, kind,    kJeprof, kRetired,    {},
          {},   nullptr, false,   replacement, {}};
}

constexpr OptionSpec Alias(std::string_view name, OptionKind kind,
                           OptionOrigin origin, OptionGroup group,
                           std::string_view alias_of) {
  return {name, kind, origin, group, {}, {}, nullptr, false, {}, alias_of};
}

constexpr OptionGroupInfo kGroups[] = {
    {kOutput, "output",
     "Output (choose one; default: --overview on a terminal, else --text)"},
    {kTable, "tables", "Table"},
    {kRows, "rows",
     "Rows of tables and frames of stacks (choose one; default: --functions)"},
    {kGraph, "graph", "Call graph"},
    {kFlame, "flame", "Flame graph"},
    {kMetric, "metric", "Metric (choose one; default: --inuse_space)"},
    {kComparison, "comparison", "Comparison"},
    {kCheck, "limits", "Limits and verdict of 'heapprof check'"},
    {kRecord, "record-options", "What 'heapprof record' does"},
    {kIndex, "index-options", "Options of 'heapprof index'"},
    {kTrend, "trend-options", "Options of 'heapprof trend'"},
    {kExplain, "explain-options", "Options of 'heapprof explain'"},
    {kSuggest, "groups-options", "Options of 'heapprof groups'"},
    {kNames, "names", "Names"},
    {kThreads, "threads", "Threads"},
    {kFilters, "filters",
     "Filters (Perl regular expressions, applied in this order)"},
    {kSymbols, "symbols", "Symbols"},
    {kCache, "cache",
     "Indexes (what was read from a binary, kept for later runs)"},
    {kPprof, "pprof", "pprof profiles as input"},
    {kProto, "proto", "pprof profiles as output, with --proto"},
    {kResources, "resources", "Threads and memory that heapprof uses"},
    {kTerminal, "terminal", "Terminal"},
    {kMessages, "messages", "Messages"},
};

// All options except those that choose an output. Do not change the name or the
// kind of a row with the origin kJeprof, and do not add another row of this
// origin: scripts abbreviate these options, and a new name could make an
// abbreviation ambiguous.
constexpr OptionSpec kOtherOptions[] = {
    Alias("pprof", kSwitch, kHeapprof, kOutput, "proto"),
    {"output", kString, kHeapprof, kOutput, "FILE",
     "write to FILE atomically, never a partial file. Its extension chooses "
     "the output (.txt .svg .pb.gz ...), unless an option does. '-' is "
     "standard output. May be repeated: if one fails, none is written",
     AddOutputFiles},
    Alias("o", kString, kHeapprof, kOutput, "output"),
    {"label", kString, kHeapprof, kOutput, "KEY=VALUE",
     "with --ndjson: add a column KEY, or set the column 'host', which is "
     "always there; with --proto: label all samples. May be repeated",
     AddLabels},
    {"each", kSwitch, kHeapprof, kOutput, "",
     "write separate outputs for each dump, also for those in folders. In -o, "
     "{name} stands for the dump, as in -o 'named/{name}.pb.gz', {folder} for "
     "its folder, {pid} and {seq} for the numbers in jemalloc's names",
     Store<&Options::each, &EachChoice::is_chosen>},
    {"budget", kString, kHeapprof, kOutput, "SIZE",
     "with --markdown: write at most SIZE (default 16KB), but all chains",
     SetMarkdownBudget},
    {"html-source", kSwitch, kHeapprof, kOutput, "",
     "with --html: put the source code of the largest functions into the file",
     Store<&Options::html_source>},

    {"cum", kSwitch, kJeprof, kTable, "", "sort by cumulative value",
     Store<&Options::sort_by_cumulative>},
    {"top", kInteger, kHeapprof, kTable, "N",
     "show only the first N rows, 0 for all (default on a terminal: as many as "
     "fit; 30 for --tree, --peek and --traces)",
     Store<&Options::top>},
    {"ci", kSwitch, kHeapprof, kTable, "",
     "with --text: the 95 % confidence bounds of the column by which the rows "
     "are sorted, and the effective number of samples; --json always has them",
     Store<&Options::show_errors>},
    {"show_bytes", kSwitch, kJeprof, kTable, "",
     "show bytes instead of MB, MiB and the like", Store<&Options::show_bytes>},

    {"functions", kSwitch, kJeprof, kRows, "", "functions",
     AddGranularity<Granularity::kFunctions>},
    {"lines", kSwitch, kJeprof, kRows, "", "source lines, with their functions",
     AddGranularity<Granularity::kLines>},
    {"files", kSwitch, kJeprof, kRows, "", "source files",
     AddGranularity<Granularity::kFiles>},
    {"addresses", kSwitch, kJeprof, kRows, "",
     "addresses of calls: one less than the return addresses in a dump, as in "
     "jeprof",
     AddGranularity<Granularity::kAddresses>},
    {"modules", kSwitch, kHeapprof, kRows, "", "binaries",
     AddGranularity<Granularity::kModules>},
    {"groups", kString, kHeapprof, kRows, "FILE",
     "the subsystems in FILE, or built-in ones such as @rocksdb, @own or @all: "
     "what rows are, unless --functions, --by or the like chooses others, and "
     "the roots of stacks. May be repeated; see 'heapprof help groups'",
     Store<&Options::group_sources>},

    {"nodecount", kInteger, kJeprof, kGraph, "N",
     "show at most N functions (default 80; 0: no limit)",
     Store<&Options::graph, &GraphLimits::node_count>},
    {"nodefraction", kFraction, kJeprof, kGraph, "F",
     "show only functions above F of the total (default 0.005); with "
     "--callers and --callees, of what matches (default 0.01)",
     SetNodeFraction},
    {"edgefraction", kFraction, kJeprof, kGraph, "F",
     "show only calls above F of the total (default 0.001)",
     Store<&Options::graph, &GraphLimits::edge_fraction>},
    {"maxdegree", kInteger, kJeprof, kGraph, "N",
     "show at most N callers and N callees of each function (default 8)",
     Store<&Options::graph, &GraphLimits::degree>},
    {"heapcheck", kPlainSwitch, kJeprof, kGraph, "",
     "shade the functions that hold memory themselves, instead of colouring",
     Store<&Options::mark_leaks>},
    {"scale", kInteger, kJeprof, kGraph, "N",
     "no effect: it was the zoom of jeprof's viewer", Ignore},

    {"title", kString, kHeapprof, kFlame, "TEXT",
     "heading (default: the name of the dump)",
     Store<&Options::flame, &FlameOptions::title>},
    {"width", kInteger, kHeapprof, kFlame, "N",
     "width in pixels (default: 1200; in a browser, that of the window)",
     SetFlameWidth},
    {"min-width", kFloat, kHeapprof, kFlame, "N",
     "sum up frames narrower than N pixels (default 0.5)",
     Store<&Options::flame, &FlameOptions::min_width>},
    {"inverted", kSwitch, kHeapprof, kFlame, "",
     "draw the roots of the stacks at the top",
     Store<&Options::flame, &FlameOptions::inverted>},
    Alias("icicle", kSwitch, kHeapprof, kFlame, "inverted"),
    {"reverse", kSwitch, kHeapprof, kFlame, "",
     "begin with the functions that allocate, with their callers on top",
     Store<&Options::flame, &FlameOptions::reverse>},
    {"palette", kString, kHeapprof, kFlame, "mem|module|own|hot",
     "colours; each module has its own hue (default: own)\n"
     "mem: greens\n"
     "module: all hues\n"
     "own: pale, except your own code\n"
     "hot: reds and yellows",
     StoreChoice<&Options::flame, &FlameOptions::palette>},

    {"inuse_space", kSwitch, kJeprof, kMetric, "", "live bytes",
     AddMetric<Metric::kInuseSpace>},
    {"inuse_objects", kSwitch, kJeprof, kMetric, "", "live objects",
     AddMetric<Metric::kInuseObjects>},
    {"alloc_space", kSwitch, kJeprof, kMetric, "",
     "bytes allocated since the start (needs prof_accum:true)",
     AddMetric<Metric::kAllocSpace>},
    {"alloc_objects", kSwitch, kJeprof, kMetric, "",
     "objects allocated since the start (needs prof_accum:true)",
     AddMetric<Metric::kAllocObjects>},
    {"metric", kString, kHeapprof, kMetric, kMetricChoices,
     "the metric of this name", AddNamedMetric},

    {"base", kString, kJeprof, kComparison, "DUMP",
     "subtract DUMP: one of the same process, of another run, or of another "
     "build; may be repeated. A warning says if the sampling periods or the "
     "programs differ",
     Store<&Options::bases>},
    {"new", kString, kHeapprof, kComparison, "DUMP...",
     "the new side: dumps of one or more runs, which are averaged. With --new, "
     "--base also takes several files",
     Store<&Options::news>},
    {"drop_negative", kSwitch, kJeprof, kComparison, "",
     "count what shrank as unchanged", Store<&Options::drop_negative>},
    {"two-column", kSwitch, kHeapprof, kComparison, "",
     "with --collapsed: 'stack before now'", Store<&Options::two_columns>},

    {"budgets", kString, kHeapprof, kCheck, "FILE",
     "limits in TOML; options on the command line override them",
     Store<&Options::check, &CheckChoices::budgets>},
    {"max-total", kString, kHeapprof, kCheck, "SIZE",
     "the most that the new side may hold, such as 2GiB. MB are 10^6 bytes; "
     "those of --text are MiB",
     StoreSetting<&CheckSettings::max_total>},
    {"max-total-growth", kString, kHeapprof, kCheck, "LIMIT",
     "the most by which the total may grow: a share of the base, a size, or "
     "their sum, as in '5% + 8MiB'",
     StoreSetting<&CheckSettings::max_total_growth>},
    {"max-growth", kString, kHeapprof, kCheck, "LIMIT",
     "the most by which each entry may grow",
     StoreSetting<&CheckSettings::max_growth>},
    {"max-new", kString, kHeapprof, kCheck, "SIZE",
     "instead of --max-growth, for entries that the base does not have",
     StoreSetting<&CheckSettings::max_new>},
    {"by", kString, kHeapprof, kCheck, kByChoices,
     "what an entry is (default: function)", SetBy},
    {"confidence", kFraction, kHeapprof, kCheck, "P",
     "how certain a regression must be (default: 0.95)", SetConfidence},
    {"noise", kString, kHeapprof, kCheck, kNoiseChoices,
     "ci: a regression must be proven (default)\n"
     "point: compare the estimates as if they were exact\n"
     "strict: staying within the limits must be proven",
     StoreSettingChoice<&CheckSettings::noise>},
    {"require-symbols", kPercent, kHeapprof, kCheck, "PCT",
     "exit with status 4 if less than PCT per cent of a side has names "
     "(default: 90 if functions of two builds are compared)",
     SetRequiredSymbols},
    {"fail-on", kString, kHeapprof, kCheck, kFailOnChoices,
     "exit with status 1 on this verdict or a worse one (default: regression)",
     SetFailOn},
    {"format", kString, kHeapprof, kCheck, kFormatChoices,
     "the format of the -o that follows, or of standard output (default: "
     "text). "
     "markdown is for a comment on a pull request; github adds annotations of "
     "source lines. Without --format, the file's name chooses: .txt .json .md "
     ".xml (junit)",
     Ignore},  // see ChooseCheckOutputs()
    {"save-baseline", kString, kHeapprof, kCheck, "FILE",
     "also write the new side as a pprof profile, which later checks can use "
     "as base without the binaries",
     Store<&Options::check, &CheckChoices::save_baseline>},
    {"explain", kSwitch, kHeapprof, kCheck, "",
     "also say how small a growth these dumps can prove",
     Store<&Options::check, &CheckChoices::explain>},
    {"accept-damaged", kSwitch, kHeapprof, kCheck, "",
     "judge damaged dumps as far as they can be read",
     Store<&Options::check, &CheckChoices::accept_damaged>},
    {"allow-empty", kSwitch, kHeapprof, kCheck, "",
     "judge a side even if it holds next to nothing or, with --own, none of "
     "your code",
     Store<&Options::check, &CheckChoices::allow_empty>},
    {"allow-renamed", kSwitch, kHeapprof, kCheck, "",
     "judge dumps of two programs even if hardly any of your functions holds "
     "memory in both",
     Store<&Options::check, &CheckChoices::allow_renamed>},

    {"rate", kString, kHeapprof, kRecord, "SIZE",
     "bytes between two samples, on average (default: lg_prof_sample in "
     "MALLOC_CONF, else 512KiB); less for short programs, such as 16KiB. "
     "Rounded to a power of two",
     SetRate},
    {"every", kString, kHeapprof, kRecord, "TIME",
     "also write a dump every TIME, such as 30s, 5m or 500ms", SetEvery},
    {"on-growth", kString, kHeapprof, kRecord, "SIZE",
     "also write a dump when the live memory is SIZE above its last maximum, "
     "such as 1GiB",
     SetOnGrowth},
    {"children", kSwitch, kHeapprof, kRecord, "",
     "record the programs that the program starts, too",
     Store<&Options::record, &RecordChoices::recording,
           &RecordOptions::children>},
    {"rss", kSwitch, kHeapprof, kRecord, "",
     "also write, next to each dump, what 'heapprof explain' reads: jemalloc's "
     "stats, smaps and status",
     Store<&Options::record, &RecordChoices::recording, &RecordOptions::rss>},
    {"recent-log", kSwitch, kHeapprof, kRecord, "",
     "--rss, and jemalloc's log of its last 100000 samples, from which "
     "'heapprof explain' tells whose objects keep slabs; takes 8 MB of "
     "metadata",
     Store<&Options::record, &RecordChoices::recording,
           &RecordOptions::recent>},
    {"jemalloc", kString, kHeapprof, kRecord, "FILE",
     "preload this library unless the program contains a jemalloc with a "
     "profiler (default: the libjemalloc.so.2 of the system)",
     Store<&Options::record, &RecordChoices::jemalloc>},

    {"allow-stripped", kSwitch, kHeapprof, kIndex, "",
     "also index files without debug information, from their symbols: function "
     "names without lines",
     Store<&Options::allow_stripped>},

    {"per", kString, kHeapprof, kTrend, kPerChoices,
     "what a rate refers to: an hour, by the times of the files (default); the "
     "next dump (default if the times do not increase); or 1 GiB allocated, "
     "for dumps with prof_accum:true, such as those of lg_prof_interval",
     SetPer},
    {"csv", kSwitch, kHeapprof, kTrend, "",
     "write comma-separated values, one line per row",
     Store<&Options::trend, &TrendChoices::asks_for_csv>},

    {"stats", kString, kHeapprof, kExplain, "FILE",
     "output of malloc_stats_print(), as JSON or text (default: DUMP with "
     ".stats.json in place of .heap)",
     Store<&Options::explain, &ExplainChoices::now, &RssPaths::stats>},
    {"smaps", kString, kHeapprof, kExplain, "FILE",
     "a copy of /proc/PID/smaps, or of smaps_rollup (default: DUMP with .smaps "
     "in place of .heap, if it exists)",
     Store<&Options::explain, &ExplainChoices::now, &RssPaths::smaps>},
    {"status", kString, kHeapprof, kExplain, "FILE",
     "a copy of /proc/PID/status (default: DUMP with .status in place of "
     ".heap, if it exists)",
     Store<&Options::explain, &ExplainChoices::now, &RssPaths::status>},
    {"recent", kString, kHeapprof, kExplain, "FILE",
     "jemalloc's prof_recent: says which stacks keep slabs with free regions "
     "(default: DUMP with .recent.json in place of .heap, if it exists)",
     Store<&Options::explain, &ExplainChoices::recent>},
    {"base-stats", kString, kHeapprof, kExplain, "FILE",
     "the stats at the time of the base (default: next to its dump)",
     Store<&Options::explain, &ExplainChoices::base, &RssPaths::stats>},
    {"base-smaps", kString, kHeapprof, kExplain, "FILE",
     "smaps at the time of the base",
     Store<&Options::explain, &ExplainChoices::base, &RssPaths::smaps>},
    {"base-status", kString, kHeapprof, kExplain, "FILE",
     "status at the time of the base",
     Store<&Options::explain, &ExplainChoices::base, &RssPaths::status>},
    {"suggest", kSwitch, kHeapprof, kSuggest, "",
     "suggest groups for the program of a dump",
     Store<&Options::suggests_groups>},

    {"names", kString, kHeapprof, kNames, "full|template|short",
     "how functions are named (default: full names in stacks; in tables short "
     "ones as in jeprof, with '@' and the start address where overloads would "
     "have one name, and ' (inline)' after inlined calls)\n"
     "full: whole signatures, without what differs between builds\n"
     "template: with template arguments, without function arguments\n"
     "short: without both; functions with the same name are added up",
     StoreChoice<&Options::names>},

    {"thread", kString, kJeprof, kThreads, "UID|NAME|*",
     "only what this thread allocated; threads with the same name are added "
     "up.\n"
     "'*': each thread separately: a table for each; in stacks and graphs, "
     "threads are the roots",
     Store<&Options::thread>},

    {"retain", kString, kJeprof, kFilters, "RE",
     "keep only the frames of functions that match, with what is inlined "
     "into them",
     StoreFilter<&FilterOptions::retain>},
    {"exclude", kString, kJeprof, kFilters, "RE",
     "remove the frames of functions that match, with what is inlined into "
     "them",
     StoreFilter<&FilterOptions::exclude>},
    {"focus", kString, kJeprof, kFilters, "RE",
     "keep only the stacks with a match: a function (its name as tables show "
     "it up to an '@', or its full name), FILE:LINE, or an address in 16 "
     "digits",
     StoreFilter<&FilterOptions::focus>},
    {"ignore", kString, kJeprof, kFilters, "RE",
     "remove the stacks that --focus=RE would keep",
     StoreFilter<&FilterOptions::ignore>},
    {"module", kString, kHeapprof, kFilters, "RE",
     "keep only the stacks with a frame in a binary whose path matches",
     StoreFilter<&FilterOptions::module>},
    {"hide", kString, kHeapprof, kFilters, "RE",
     "remove the frames whose function, source file or binary matches, at "
     "every level of inlining; may be repeated. Built-in sets: @std (the C and "
     "C++ libraries), @rust (Rust's), @wrappers (xmalloc and the like), as in "
     "--hide=@std,@wrappers",
     StoreFilter<&FilterOptions::hide>},
    {"show_from", kString, kHeapprof, kFilters, "RE",
     "start stacks at their outermost match; drop the rest",
     StoreFilter<&FilterOptions::show_from>},
    {"prune_from", kString, kHeapprof, kFilters, "RE",
     "cut each stack below the innermost match",
     StoreFilter<&FilterOptions::prune_from>},
    {"own", kString, kHeapprof, kFilters, "RE|!RE|auto|none",
     "cut each stack below the innermost frame of your code; RE matches its "
     "function, source file or binary. auto finds your code: the program and "
     "the libraries beside it, without third-party code and allocators "
     "(default of check). !RE takes what auto finds, but nothing that matches",
     StoreFilter<&FilterOptions::own>},
    {"min-age", kString, kHeapprof, kFilters, "AGE",
     "only objects at least this old, such as 90s, 2m or 1.5h; for dumps that "
     "list their live objects",
     SetMinAge},
    {"inlines", kSwitch, kHeapprof, kFilters, "",
     "count inlined calls for the function that contains them", SetInlines,
     true},
    {"allocator-frames", kSwitch, kHeapprof, kFilters, "",
     "keep the allocator's own frames, which are removed otherwise",
     Store<&Options::keep_allocator_frames>},

    {"maps", kString, kHeapprof, kSymbols, "FILE",
     "for dumps without a memory map, and for libraries that were unloaded: "
     "use the map in FILE, another dump of the process or a copy of "
     "/proc/PID/maps",
     Store<&Options::maps>},
    {"load-base", kString, kHeapprof, kSymbols, "[FILE=]ADDR",
     "for dumps without a memory map: where the first page of BINARY, or of "
     "FILE, was mapped, in hexadecimal; may be repeated",
     AddLoadBases},
    {"perf-map", kString, kHeapprof, kSymbols, "FILE",
     "names of code that a JIT compiler made, as in /tmp/perf-PID.map; "
     "perf-PID.map next to a dump of process PID is found without this "
     "option; may be repeated",
     Store<&Options::perf_maps>},
    {"symbol-path", kString, kHeapprof, kSymbols, "DIR[:DIR...]",
     "look for binaries below DIR, at their path or any suffix of it; may be "
     "repeated",
     AddSymbolPath},
    {"lib_prefix", kString, kJeprof, kSymbols, "DIR[,DIR...]",
     "--symbol-path with commas between folders", AddLibPrefix},
    {"source-path", kString, kHeapprof, kSymbols, "DIR[:DIR...]",
     "look for source files below DIR, at their path or any suffix of it; may "
     "be repeated",
     AddSourcePath},
    {"tools", kString, kJeprof, kSymbols, "objdump:PATH",
     "the objdump that --disasm runs (default: as JEPROF_TOOLS says, else the "
     "one in PATH)",
     Store<&Options::tools>},
    {"add_lib", kString, kJeprof, kSymbols, "FILE",
     "a library for addresses outside the memory map, mapped at the addresses "
     "in its program headers",
     Store<&Options::added_library>},
    {"path-map", kString, kHeapprof, kSymbols, "FROM=TO",
     "look below TO for files whose path begins with FROM; may be repeated",
     AddPathMaps},
    {"sysroot", kString, kHeapprof, kSymbols, "DIR",
     "look for everything below DIR, such as /proc/PID/root of a container; "
     "may be repeated",
     Store<&Options::locator, &LocatorOptions::debug, &DebugSearch::sysroots>},
    {"debug-dir", kString, kHeapprof, kSymbols, "DIR",
     "look for debug files in DIR; may be repeated",
     Store<&Options::locator, &LocatorOptions::debug, &DebugSearch::dirs>},
    {"debug-syms-by-id", kSwitch, kJeprof, kSymbols, "",
     "no effect: debug files are always found by build id", Ignore},
    {"debuginfod", kSwitch, kHeapprof, kSymbols, "",
     "download missing files from the servers in DEBUGINFOD_URLS; nothing else "
     "uses the network",
     Store<&Options::use_debuginfod>},
    {"force", kSwitch, kHeapprof, kSymbols, "",
     "use a binary even if the addresses do not fit it",
     Store<&Options::locator, &LocatorOptions::force>},

    {"index-dir", kString, kHeapprof, kCache, "DIR",
     "name frames with the indexes in DIR, which 'heapprof index' made on "
     "another machine: debug files and even binaries may be missing; may be "
     "repeated",
     Store<&Options::index_dirs>},
    {"cache", kSwitch, kHeapprof, kCache, "",
     "neither use nor build indexes of the cache", Store<&Options::use_cache>,
     true},
    {"cache-dir", kString, kHeapprof, kCache, "DIR",
     "keep the indexes in DIR (default: $XDG_CACHE_HOME/heapprof or "
     "~/.cache/heapprof)",
     Store<&Options::cache_directory>},
    {"cache-size", kString, kHeapprof, kCache, "SIZE",
     "remove the least recently used indexes beyond SIZE (default 4GiB)",
     SetCacheSize},

    {"resymbolize", kSwitch, kHeapprof, kPprof, "",
     "replace the names in the profile by those found in the binaries",
     Store<&Options::resymbolize>},
    {"pprof-addr", kString, kHeapprof, kPprof, "fileoff|vaddr|runtime",
     "what the addresses are if nothing else tells: offsets in the ELF file, "
     "its virtual addresses, or those of the process",
     StoreChoice<&Options::pprof_addresses>},
    {"sample-type", kString, kHeapprof, kPprof, "TYPE",
     "show this sample type, in bytes, instead of the usual ones; 'heapprof "
     "info' lists what a profile has",
     Store<&Options::sample_type>},
    {"sample-period", kString, kHeapprof, kPprof, "SIZE",
     "bytes between samples, such as 512KiB, if the profile does not say",
     SetSamplePeriod},

    {"pprof-types", kString, kHeapprof, kProto, "TYPE[,TYPE...]",
     "write only these sample types, such as inuse_space (default: all that "
     "the dump has)",
     SetPprofTypes},
    {"thread-labels", kSwitch, kHeapprof, kProto, "",
     "split the samples by thread, labelled with its name or else its uid",
     Store<&Options::pprof, &PprofChoices::thread_labels>},
    {"size-labels", kSwitch, kHeapprof, kProto, "",
     "label each sample with the mean size of its objects, for pprof's "
     "-tagfocus=1mb:",
     Store<&Options::pprof, &PprofChoices::size_labels>},
    {"max-samples", kInteger, kHeapprof, kProto, "N",
     "write at most N samples: the frames of small stacks, beyond those that "
     "large ones share, become [small stacks]",
     Store<&Options::pprof, &PprofChoices::max_samples>},

    {"jobs", kInteger, kHeapprof, kResources, "N",
     "number of threads; 0 (default) for one per processor, within what the "
     "control group and the memory limit allow",
     SetJobs},
    {"memory-limit", kString, kHeapprof, kResources, "SIZE",
     "end with an error rather than use more memory (default: three quarters "
     "of the machine's, or of its control group's)",
     SetMemoryLimit},

    {"color", kString, kHeapprof, kTerminal, "auto|always|never",
     "auto (the default): on terminals that know colours, unless NO_COLOR is "
     "set",
     StoreChoice<&Options::color>},

    {"quiet", kSwitch, kHeapprof, kMessages, "", "print only errors",
     Store<&Options::quiet>},
    {"verbose", kSwitch, kHeapprof, kMessages, "",
     "print every warning, and how long each stage took",
     Store<&Options::verbose>},
    Alias("debug", kSwitch, kJeprof, kMessages, "verbose"),
    {"help", kSwitch, kJeprof, kMessages, "",
     "print this text, with -h one screen; '--help TOPIC' is 'heapprof help "
     "TOPIC'",
     Store<&Options::show_help>},
    Alias("h", kSwitch, kHeapprof, kMessages, "help"),
    {"version", kSwitch, kJeprof, kMessages, "", "print the version",
     Store<&Options::show_version>},

    Retired("seconds", kInteger,
            "heapprof reads files; fetch the profile first, for example with "
            "curl"),
    Retired("gv", kSwitch, kNoViewer),
    Retired("evince", kSwitch, kNoViewer),
    Retired("web", kSwitch, kNoViewer),
    Retired("interactive", kSwitch, kNoPrompt),
    Retired("total_delay", kSwitch, kNoContention),
    Retired("contentions", kSwitch, kNoContention),
    Retired("mean_delay", kSwitch, kNoContention),
    Retired("test", kSwitch, kNoSelfTest),
    Retired("test_stride", kInteger, kNoSelfTest),
};

constexpr OptionSpec OptionOf(const OutputFormat& output) {
  const bool takes_pattern = output.traits.takes_pattern;
  return {output.name, takes_pattern ? kString : kSwitch, output.origin,
          kOutput,     takes_pattern ? "RE" : "",         output.help,
          AddOutput};
}

constexpr auto kOptions = [] {
  std::array<OptionSpec, std::size(kOutputs) + std::size(kOtherOptions)> all;
  const auto rest = std::ranges::transform(kOutputs, all.begin(), OptionOf).out;
  std::ranges::copy(kOtherOptions, rest);
  return all;
}();

}  // namespace

std::span<const OptionSpec> OptionTable() { return kOptions; }

std::span<const OptionGroupInfo> OptionGroups() { return kGroups; }

std::vector<std::string> DocumentedNames(const OptionSpec& spec) {
  std::vector<std::string> names = {
      fmt::format("--{}{}", spec.is_on_by_default ? "no-" : "", spec.name)};
  for (const OptionSpec& alias : OptionTable()) {
    if (alias.alias_of != spec.name) continue;
    if (alias.name.size() == 1)
      names.insert(names.begin(), fmt::format("-{}", alias.name));
    else
      names.push_back(fmt::format("--{}", alias.name));
  }
  return names;
}

}  // namespace heapprof
