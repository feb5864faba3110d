// SPDX-License-Identifier: Apache-2.0
//
// Every output that a run can write, one row each. These rows also define the
// options that choose an output, their help texts, and the file extensions that
// do so.
//
// To add an output, declare its OutputWriter and add a row here, and add a file
// src/cli/outputs/NAME_report.cc that defines the writer, as
// collapsed_report.cc does. CMake finds that file. If no view (a struct of
// numbers ready to print) has the numbers, add one to src/view. If the text
// takes more than a few lines to format, do that in a new file in src/report.
// List new files of these two folders in their CMakeLists.txt.
#pragma once

#include <string_view>

#include "cli/args/option_spec.h"
#include "heapprof/base/error.h"

namespace heapprof {

class ByteSink;
struct Options;
struct Output;
struct ReportRequest;

// Writes the bytes of one output.
using OutputWriter = Result<void>(const ReportRequest& request, ByteSink& out);

struct OutputTraits {
  bool takes_pattern = false;  // its option has a regular expression as value
  // True for a table that --json writes if both options are given.
  bool has_json = false;
  bool is_binary = false;  // never written to a terminal
  // True if the output itself shows threads separately. In all other outputs,
  // --thread=* makes threads the roots of the stacks.
  bool shows_threads = false;
  // Several dumps are shown apart. All other outputs add them up.
  bool shows_each_dump = false;
  bool reads_addresses = false;  // reads addresses instead of a profile
  bool shows_own_code = false;
  bool lacks_groups = false;  // --groups matters only to filters
  // Unless --thread asks for them, shows neither threads nor errors, which
  // depend on what threads share. On a terminal, and with --ci, a table has
  // errors.
  bool sums_only = false;
};

// One row of the table of outputs. All views point to string literals.
struct OutputFormat {
  std::string_view name;  // of its option, without dashes
  OptionOrigin origin;
  // Extensions of files that get this output, separated by blanks; may be
  // empty.
  std::string_view extensions;
  OutputWriter* write;
  std::string_view help;  // of its option
  OutputTraits traits = {};
};

// Each writer is defined in src/cli/outputs/, in the file of its output.
OutputWriter MakeOverviewReport, MakeTextReport, MakeCollapsedReport,
    MakePprofReport, MakeRawReport, MakeTreeReport, MakePeekReport,
    MakeListReport, MakeDisasmReport, MakeCallersReport, MakeCalleesReport,
    MakeJsonReport, MakeNdjsonReport, MakeTracesReport, MakeThreadsReport,
    MakeSizesReport, MakeSymbolsReport, MakeCallgrindReport, MakeDotReport,
    MakePictureReport, MakeSpeedscopeReport, MakeFlamegraphReport,
    MakeHtmlReport, MakeMarkdownReport;

// All outputs, in the order of the help text.
inline constexpr OutputFormat kOutputs[] = {
    {"overview",
     OptionOrigin::kHeapprof,
     "",
     MakeOverviewReport,
     "who holds the memory, on one screen: the functions of your own code, the "
     "functions that allocate, and what to run next",
     {.shows_own_code = true}},
    {"text",
     OptionOrigin::kJeprof,
     ".txt",
     MakeTextReport,
     "table: what each function holds itself, and together with what it calls",
     {.has_json = true, .shows_threads = true, .sums_only = true}},
    {"json",
     OptionOrigin::kHeapprof,
     ".json",
     MakeJsonReport,
     "the table with bounds, threads and modules, for scripts; with --tree, "
     "--peek, --callers, --callees or --traces, that table, too",
     {.shows_threads = true, .shows_own_code = true}},
    {"ndjson",
     OptionOrigin::kHeapprof,
     ".ndjson",
     MakeNdjsonReport,
     "a line for each stack of each dump and each metric, for ClickHouse, "
     "DuckDB and the like; see 'heapprof help fleet'",
     {.shows_threads = true, .shows_each_dump = true}},
    {"collapsed",
     OptionOrigin::kJeprof,
     ".collapsed .folded",
     MakeCollapsedReport,
     "folded stacks for flamegraph.pl; with --base, what grew",
     {.sums_only = true}},
    {"flamegraph",
     OptionOrigin::kHeapprof,
     ".flame.svg",
     MakeFlamegraphReport,
     "flame graph as one SVG file, to zoom and search in a browser; with "
     "--base, what grew and what shrank",
     {.shows_own_code = true}},
    {"html",
     OptionOrigin::kHeapprof,
     ".html",
     MakeHtmlReport,
     "one HTML file to attach and to open anywhere: overview, flame graph, "
     "tables, callers and callees, threads; with --base, what changed",
     {.shows_threads = true, .shows_each_dump = true, .shows_own_code = true}},
    {"markdown",
     OptionOrigin::kHeapprof,
     ".md",
     MakeMarkdownReport,
     "a report for a ticket or an assistant: who holds the memory, the largest "
     "stacks, what to run next; with --base, what changed",
     {.shows_each_dump = true, .shows_own_code = true}},
    {"proto",
     OptionOrigin::kHeapprof,
     ".pb.gz .pb",
     MakePprofReport,
     "pprof profile, gzipped unless its name ends with .pb",
     {.is_binary = true}},
    {"speedscope",
     OptionOrigin::kHeapprof,
     ".speedscope.json",
     MakeSpeedscopeReport,
     "file for speedscope.app: a profile for each metric and, with --thread=*, "
     "for each thread; with --base, what grew and what shrank",
     {.shows_threads = true, .sums_only = true}},
    {"raw", OptionOrigin::kJeprof, ".raw", MakeRawReport,
     "the dump with its names, which needs no binary"},
    {"tree",
     OptionOrigin::kHeapprof,
     "",
     MakeTreeReport,
     "each function between its callers and its callees",
     {.has_json = true, .sums_only = true}},
    {"peek",
     OptionOrigin::kHeapprof,
     "",
     MakePeekReport,
     "the functions that match RE, a Perl regular expression, each between its "
     "callers and its callees",
     {.takes_pattern = true, .has_json = true, .sums_only = true}},
    {"list",
     OptionOrigin::kJeprof,
     "",
     MakeListReport,
     "the source code of the functions that match, with what each line holds",
     {.takes_pattern = true, .lacks_groups = true, .sums_only = true}},
    {"disasm",
     OptionOrigin::kJeprof,
     "",
     MakeDisasmReport,
     "the machine code of the functions that match, with what each instruction "
     "holds; runs objdump",
     {.takes_pattern = true, .lacks_groups = true, .sums_only = true}},
    {"callers",
     OptionOrigin::kHeapprof,
     "",
     MakeCallersReport,
     "who calls the functions that match, all the way up: a tree for each, "
     "without what is below 1 %",
     {.takes_pattern = true, .has_json = true, .sums_only = true}},
    {"callees",
     OptionOrigin::kHeapprof,
     "",
     MakeCalleesReport,
     "what the functions that match call, all the way down",
     {.takes_pattern = true, .has_json = true, .sums_only = true}},
    {"traces",
     OptionOrigin::kHeapprof,
     "",
     MakeTracesReport,
     "every stack with its value",
     {.has_json = true, .sums_only = true}},
    {"threads",
     OptionOrigin::kHeapprof,
     "",
     MakeThreadsReport,
     "what each thread holds, with 95 % confidence bounds",
     {.has_json = true,
      .shows_threads = true,
      .shows_own_code = true,
      .lacks_groups = true}},
    {"sizes",
     OptionOrigin::kHeapprof,
     "",
     MakeSizesReport,
     "what objects of each size hold",
     {.shows_own_code = true, .lacks_groups = true}},
    {"symbols",
     OptionOrigin::kJeprof,
     "",
     MakeSymbolsReport,
     "names for the addresses on standard input: addresses in BINARY or, with "
     "a memory map in the input, in the process",
     {.reads_addresses = true, .lacks_groups = true}},
    {"callgrind",
     OptionOrigin::kJeprof,
     ".callgrind",
     MakeCallgrindReport,
     "costs by line and call, for KCachegrind",
     {.sums_only = true}},
    {"dot",
     OptionOrigin::kJeprof,
     ".dot .gv",
     MakeDotReport,
     "call graph in Graphviz's language",
     {.sums_only = true}},
    {"svg",
     OptionOrigin::kJeprof,
     ".svg",
     MakePictureReport,
     "call graph as an SVG picture, drawn by Graphviz",
     {.sums_only = true}},
    {"pdf",
     OptionOrigin::kJeprof,
     ".pdf",
     MakePictureReport,
     "call graph as PDF",
     {.is_binary = true, .sums_only = true}},
    {"ps",
     OptionOrigin::kJeprof,
     ".ps",
     MakePictureReport,
     "call graph as PostScript",
     {.sums_only = true}},
    {"png",
     OptionOrigin::kHeapprof,
     ".png",
     MakePictureReport,
     "call graph as PNG",
     {.is_binary = true, .sums_only = true}},
    {"gif",
     OptionOrigin::kJeprof,
     ".gif",
     MakePictureReport,
     "call graph as GIF",
     {.is_binary = true, .sums_only = true}},
};

// Returns the output with this name. Does not compile if there is none.
consteval const OutputFormat* OutputNamed(std::string_view name) {
  const OutputFormat* format = kOutputs;
  while (format->name != name) ++format;
  return format;
}

}  // namespace heapprof
