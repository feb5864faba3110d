// SPDX-License-Identifier: Apache-2.0
//
// The data of an HTML report: what its scripts show. src/report/assets/html/
// reads it.
//
// The block has the columns, one after the other, then a JSON document that
// lists them, and at its end the length of this document, four bytes in little
// endian. So the columns, which are large, need not be kept until the document
// is complete. A column is an array of LEB128 numbers; those of kind "s" are
// zigzag-coded. One of kind "t" has texts in UTF-8, each with a newline at its
// end. "columns" has [name, kind, number of values, bytes] of each.
//
//   label.name                 of a function
//   label.short_name           empty: the name is short
//   label.more_names           for filters: CompactNames::more, separated by
//                              tabs; also the parts, if one is not ASCII
//   label.name_parts           the number of other forms. Each is a part of the
//                              name and its more names, separated by tabs:
//   name_part.start, .size     which, in characters
//   label.module, label.file   index + 1 in "modules" and "files"; 0 = unknown,
//                              or several
//   label.line                 where the function starts; 0 = unknown
//   label.flags                bit 0: the user's own code
//   node.label                 index of a label; nodes are in preorder
//   node.up                    depth of the previous node + 1 - depth of this
//                              one: 0 = its child, 1 = its sibling
//   code.node, .module, .file  of the nodes whose labels have several modules
//                              or files: which of them. Nodes of different
//                              code are different, although their labels may
//                              be the same
//   self.METRIC, base.METRIC   FrameValues::self of the new and the base side
//   variance.METRIC, base_variance.METRIC
//                              of the nodes whose self is not 0, in the order
//                              of the nodes: VarianceCode() of its variance;
//                              absent if the metric has no "errors"
//   bounds.METRIC.*            intervals of the nodes with at least 0.1 %
//   changed.METRIC             FrameChanges: 1 = a change, in a comparison of
//                              sampled values
//   TABLE.METRIC.*             values of the rows of a table
//   TABLE.METRIC.bounds.*      intervals of their self and total
//   TABLE.METRIC.changed.*     MetricCell::has_changed of their self and total:
//                              the rows for which it is true
//   functions.label            index + 1 of a label; 0 = in "names"
//   lines.label, .file, .line  "LABEL FILE:LINE"; label and file are
//                              index + 1. label 0 = the name is in "names";
//                              file 0 = unknown, "??"
//   files.file, modules.module index + 1 in "files" and "modules"
//   groups.label               index + 1 of the label of the group's frame; 0 =
//                              it has none
//   thread.N.METRIC.*          slice of a thread. "variance": 0 = that of the
//                              node; n > 0 = VarianceCode() + 1; n < 0 = itself
//   dump.N.METRIC.*            slice of a dump; its variances are shares of
//                              what "missed" of its element of "dumps" says
//   seeds.N.METRIC.*           slice of a thread of a run; see "seeds"
//   source.N.METRIC.*          values of the lines of "sources"[N], whose
//                              members "label" and "file" are index + 1
//
// The columns "code" and those of intervals and slices are sparse: "node" or
// "row" has the distance from the previous element that has a value.
//
// "errors" of a metric has what the page needs to compute intervals, as
// ErrorModel: "missed" by side (null: no error), "of_entries" and "of_total",
// which are VariationOfSums. In a comparison, "changes" says how to judge
// changes: the level of FrameChanges, and how many standard deviations a normal
// variable exceeds with this probability; "widening_of_changes" is for this
// level. Null if it cannot compute them. "seeds" are the runs whose threads may
// share a seed, as HtmlSeeds.
//
// The errors of metric "judge" say whether a value of a metric has changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/view/compact_names.h"
#include "heapprof/view/error_bars.h"
#include "heapprof/view/flame_graph.h"
#include "heapprof/view/frame_changes.h"
#include "heapprof/view/frame_tree.h"
#include "heapprof/view/metric_table.h"
#include "heapprof/view/module_table.h"
#include "heapprof/view/node_intervals.h"
#include "heapprof/view/overview.h"
#include "heapprof/view/size_table.h"
#include "heapprof/view/source_listing.h"
#include "heapprof/view/thread_table.h"
#include "heapprof/view/tree_slice.h"

namespace heapprof {

class ByteSink;

// One of several dumps.
struct HtmlDump {
  std::string name;
  int64_t time_seconds = 0;  // since 1970; 0 if unknown
  // As ErrorModel::missed, which depends on how this dump was sampled. None:
  // the page cannot compute errors of this dump.
  std::optional<double> missed = {};
};

// The values of one thread or dump.
struct HtmlSlices {
  // By column of the tree.
  std::vector<TreeSlice> by_metric = {};
  // Of the total of a thread, by column; empty for dumps. None: see ErrorBars.
  std::vector<std::optional<Interval>> intervals = {};
};

// The threads of a run, some of which may share a seed: see SharedSeeds.
struct HtmlSeeds {
  Side side = Side::kNew;
  size_t sharing = 0;  // how many of the threads
  // What the run is: a part of what the page shows as a whole, one of the
  // dumps, or both.
  bool is_in_all = false;
  std::optional<size_t> dump = {};
  // What its threads have: slices of threads, or of the runs' threads.
  bool are_threads = false;
  size_t first_slice = 0;
  size_t slice_count = 0;
};

// What a thread holds on both sides of a comparison.
struct HtmlThreadChange {
  uint64_t uid = 0;
  std::string name;
  std::string top_function = {};  // is charged with most of the first metric
  std::vector<MetricCell> cells = {};  // by column of the tree
};

struct HtmlSource {
  ListedFunction function;
  // Of its whole file. Their owner must outlive the report.
  std::span<const std::string_view> lines = {};
};

// The errors of a column of the tree.
struct HtmlErrors {
  std::vector<NodeInterval> intervals = {};
  // None: the page cannot compute errors of sums.
  std::optional<ErrorModel> model = {};
  // The column of JudgingMetric().
  size_t judge = 0;
  // As those of FrameChanges. Without a level, every change counts.
  std::optional<ChangeLevel> level_of_changes = {};
  std::vector<FrameChange> changes = {};  // by joint
};

struct HtmlReport {
  std::string_view version;  // of heapprof
  std::string title;
  size_t column = 0;  // of `tree`: the metric that is shown first
  std::vector<std::string> filters = {};   // as in FilterEffect::filter
  std::vector<std::string> warnings = {};  // what may make the numbers wrong
  Overview overview = {};
  FrameTree tree = {};                         // of functions, roots first
  std::vector<CompactNames> shown_names = {};  // by label of `tree`
  // By column of `tree`; only the first frame of the graphs is used.
  std::vector<FlameGraph> graphs = {};
  std::vector<HtmlErrors> errors = {};
  // Have the columns of `tree`. Without line numbers, `lines` is empty.
  // Without groups, `groups` is empty.
  MetricTable functions = {}, lines = {}, files = {}, modules = {}, groups = {};
  SizeTable sizes = {};  // of the column that is shown first; may be empty
  // Sorted by uid, with their slices; empty if they are unknown.
  std::vector<ThreadRow> threads = {};
  std::vector<HtmlSlices> thread_slices = {};
  // Only of comparisons: the largest change comes first.
  std::vector<HtmlThreadChange> thread_changes = {};
  // In the order in which they were given, with their slices; empty if there is
  // only one.
  std::vector<HtmlDump> dumps = {};
  std::vector<HtmlSlices> dump_slices = {};
  std::vector<HtmlSeeds> seeds = {};
  std::vector<HtmlSlices> seed_slices = {};
  // How many of `dumps` the other members are about, the last one of each
  // process; 0: all of them, and their values are sums.
  size_t latest = 0;
  // How many of `dumps` are skipped because the program was exiting and had
  // freed its memory.
  size_t at_end = 0;
  const ModuleTable* coverage = nullptr;
  std::vector<HtmlSource> sources = {};  // of the column that is shown first
  std::vector<std::string> source_files = {};  // from which `sources` are
};

// Returns the variance of the sampling error of `self`, which is above 0, as a
// number that takes few bytes and is exact to six digits: 2^19 times the
// negative logarithm of its share of `self` * `missed`, which it rarely
// exceeds. It is near 0 for objects that are small compared with the sampling
// period. If `missed` is 0, a byte takes its place.
int64_t VarianceCode(double variance, double self, double missed);

void WriteHtmlData(const HtmlReport& report, ByteSink& out);

}  // namespace heapprof
