// SPDX-License-Identifier: Apache-2.0
//
// One HTML file that answers questions about a profile, without a server, the
// network or anything else. Its head, overview and table of functions are plain
// HTML, for readers who block scripts. The scripts show everything else, from
// the data that src/report/html_data.h describes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/view/flame_graph.h"
#include "heapprof/view/frame_tree.h"
#include "heapprof/view/metric_table.h"
#include "heapprof/view/module_table.h"
#include "heapprof/view/node_errors.h"
#include "heapprof/view/overview.h"
#include "heapprof/view/source_listing.h"
#include "heapprof/view/thread_table.h"
#include "heapprof/view/tree_slice.h"

namespace heapprof {

class ByteSink;

// One of several dumps.
struct HtmlDump {
  std::string name;
  int64_t time_seconds = 0;  // since 1970; 0 if unknown
};

// The values of one thread or dump.
struct HtmlSlices {
  // By column of the tree.
  std::vector<TreeSlice> by_metric = {};
  // Of the total of a thread, by column; empty for dumps. None: see ErrorBars.
  std::vector<std::optional<Interval>> intervals = {};
};

struct HtmlSource {
  ListedFunction function;
  // Of its whole file. Their owner must outlive the report.
  std::span<const std::string_view> lines = {};
};

struct HtmlReport {
  std::string_view version;  // of heapprof
  std::string title;
  size_t column = 0;  // of `tree`: the metric that is shown first
  std::vector<std::string> filters = {};   // as in FilterEffect::filter
  std::vector<std::string> warnings = {};  // what may make the numbers wrong
  Overview overview = {};
  FrameTree tree = {};  // of functions, roots first
  // By column of `tree`: the graph, of which only the first frame is used, and
  // the errors of all nodes.
  std::vector<FlameGraph> graphs = {};
  std::vector<NodeErrors> errors = {};
  // Have the columns of `tree`. Without line numbers, `lines` is empty.
  MetricTable functions = {}, lines = {}, files = {}, modules = {};
  // Sorted by uid, with their slices; empty if they are unknown.
  std::vector<ThreadRow> threads = {};
  std::vector<HtmlSlices> thread_slices = {};
  // In the order in which they were given, with their slices; empty if there is
  // only one.
  std::vector<HtmlDump> dumps = {};
  std::vector<HtmlSlices> dump_slices = {};
  const ModuleTable* coverage = nullptr;
  std::vector<HtmlSource> sources = {};  // of the column that is shown first
  std::vector<std::string> source_files = {};  // from which `sources` are
};

void WriteHtml(const HtmlReport& report, ByteSink& out);

}  // namespace heapprof
