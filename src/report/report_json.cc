// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/report_json.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "heapprof/base/top_rows.h"
#include "heapprof/view/error_bars.h"
#include "heapprof/view/metric_words.h"
#include "heapprof/view/object_sizes.h"
#include "heapprof/view/sampled_objects.h"
#include "heapprof/view/whole_values.h"
#include "report/json_parts.h"
#include "report/member_lines.h"

namespace heapprof {
namespace {

std::string_view NameOf(Granularity granularity) {
  switch (granularity) {
    case Granularity::kFunctions:
      return "functions";
    case Granularity::kLines:
      return "lines";
    case Granularity::kFiles:
      return "files";
    case Granularity::kAddresses:
      return "addresses";
    case Granularity::kModules:
      return "modules";
    case Granularity::kGroups:
      return "groups";
  }
  return "";
}

Json InputObject(const InputFacts& input) {
  Json object = Json::object();
  AddText("path", input.path, object);
  object["side"] = input.side == Side::kNew ? "new" : "base";
  object["format"] = input.format;
  object["written_by"] = OrNull(input.produced_by);
  object["sampling_period"] = OrNull(input.sampling_period);
  object["time_seconds"] =
      input.time_seconds == 0 ? Json() : Json(input.time_seconds);
  AddText("program", input.program, object);
  object["build_id"] = OrNull(input.build_id);
  return object;
}

Json FilterObject(const FilterEffect& filter) {
  constexpr double kHundred = 100;
  Json object = Json::object();
  AddText("filter", filter.filter, object);
  object["removed_stacks"] = filter.removed_stacks;
  object["removed_value"] = WholeNumber(filter.removed_value);
  object["removed_share"] = filter.removed_percent / kHundred;
  object["cut_stacks"] = filter.cut_stacks;
  object["not_own_stacks"] = filter.not_own_stacks;
  object["left_stacks"] = filter.left_stacks;
  return object;
}

Json Rounded(const std::optional<double>& number) {
  constexpr double kTenths = 10;
  return number ? Json(std::round(*number * kTenths) / kTenths) : Json();
}

using Samples = std::optional<SampleNumbers>;

Json MeasureObject(const Estimate& value, const Samples& samples, Side side,
                   Extent extent, const ErrorBars& bars) {
  return {{"value", WholeNumber(value.value)},
          {"interval", IntervalObject(bars.Of(value, side, extent))},
          {"samples", samples && !bars.IsExact(side)
                          ? Json(WholeNumber(std::round((*samples)[side])))
                          : Json()},
          {"effective_samples", Rounded(bars.Samples(value, side))}};
}

Json MeasureObject(const Change& change, const Samples& samples, Extent extent,
                   const ErrorBars& bars) {
  const auto side_object = [&](const Estimate& value, Side side) {
    return MeasureObject(value, samples, side, extent, bars);
  };
  if (!bars.is_comparison()) return side_object(change.now, Side::kNew);
  return {{"before", side_object(change.base, Side::kBase)},
          {"after", side_object(change.now, Side::kNew)},
          {"change",
           {{"value", WholeNumber(WholeChange(change))},
            {"interval", IntervalObject(bars.Of(change, extent))}}}};
}

// Returns nothing if filters have removed samples: their numbers are lost.
Samples SamplesOfTotal(const Profile& profile, Metric metric) {
  const bool is_whole = std::ranges::all_of(kSides, [&](Side side) {
    return profile.filtered_out[side][metric].value == 0;
  });
  return is_whole ? SampledObjects(profile, profile.samples, metric)
                  : std::nullopt;
}

Json TotalsObject(const Profile& profile, const ReportData& report) {
  Json totals = Json::object();
  for (const auto& [metric, total] : report.totals) {
    const ErrorBars bars(profile, metric);
    Json object = MeasureObject(total, SamplesOfTotal(profile, metric),
                                Extent::kTotal, bars);
    object["is_exact"] = bars.is_exact();
    totals[MetricName(metric)] = std::move(object);
  }
  return totals;
}

class RowObjects {
 public:
  RowObjects(const Profile& profile, Metric metric)
      : profile_(profile),
        bars_(profile, metric),
        knows_sizes_(KnowsObjectSizes(profile, metric)) {}

  Json Of(const FlatRow& row) const {
    Json object = Json::object();
    AddText("name", row.name, object);
    AddText("function", profile_.String(row.code.function), object);
    AddText("file", profile_.String(row.code.file), object);
    object["line"] = OrNull(row.code.line);
    AddText("module", profile_.String(row.code.module), object);
    object["flat"] =
        MeasureObject(row.flat, row.flat_samples, Extent::kEntry, bars_);
    object["cumulative"] = MeasureObject(row.cumulative, row.cumulative_samples,
                                         Extent::kEntry, bars_);
    if (bars_.is_comparison()) {
      object["flat"]["change"]["is_proven"] = row.is_flat_proven;
      object["cumulative"]["change"]["is_proven"] = row.is_cumulative_proven;
    }
    object["mean_object_size"] = {
        {"flat", MeanSize(row.flat, row.flat_objects)},
        {"cumulative", MeanSize(row.cumulative, row.cumulative_objects)}};
    return object;
  }

  Json Of(const StoryChain& chain) const {
    constexpr double kHundred = 100;
    Json object = {{"frames", NamedObjects(chain.frames)}};
    AddText("file", chain.file, object);
    object["line"] = OrNull(chain.line);
    object["held"] =
        MeasureObject(chain.cell.change, std::nullopt, Extent::kEntry, bars_);
    object["share"] = chain.percent / kHundred;
    object["share_interval"] = nullptr;
    if (const auto& interval = chain.percent_interval)
      object["share_interval"] = {{"lower", interval->lower / kHundred},
                                  {"upper", interval->upper / kHundred},
                                  {"confidence", kConfidence}};
    object["part_of"] = chain.part_of ? Json(*chain.part_of) : Json();
    return object;
  }

  Json Of(const ThreadRow& row) const {
    Json object = {{"uid", row.uid}};
    AddText("name", row.name, object);
    object["held"] =
        MeasureObject(row.sum, row.samples, Extent::kThread, bars_);
    AddText("top_function", row.top_function, object);
    return object;
  }

 private:
  Json MeanSize(const Change& bytes, const Change& objects) const {
    const auto size =
        knows_sizes_ ? MeanObjectSize(Difference(bytes), Difference(objects))
                     : std::nullopt;
    return size ? Json(WholeNumber(*size)) : Json();
  }

  const Profile& profile_;
  const ErrorBars bars_;
  const bool knows_sizes_;
};

Json ThreadObject(const ReportData& report, const ThreadRow& row,
                  const RowObjects& rows) {
  Json object = rows.Of(row);
  if (report.thread_tables.empty()) return object;
  const auto index = static_cast<size_t>(&row - report.threads.data());
  Json array = Json::array();
  for (const FlatRow& function :
       TopRows(report.thread_tables[index].rows, report.top))
    array.push_back(rows.Of(function));
  object["rows"] = std::move(array);
  return object;
}

Json RelatedArray(const std::vector<CallerOrCallee>& related,
                  const std::vector<std::string>& names) {
  Json array = Json::array();
  for (const CallerOrCallee& other : related) {
    Json object = Json::object();
    AddText("name", names[other.name], object);
    object["value"] = WholeNumber(WholeChange(other.sum));
    array.push_back(std::move(object));
  }
  return array;
}

Json RowObject(const CallersCalleesRow& row,
               const std::vector<std::string>& names) {
  Json object = Json::object();
  AddText("name", names[row.name], object);
  object["flat"] = WholeNumber(WholeChange(row.flat));
  object["cumulative"] = WholeNumber(WholeChange(row.cumulative));
  object["callers"] = RelatedArray(row.callers, names);
  object["callees"] = RelatedArray(row.callees, names);
  return object;
}

std::string_view NameOf(CallTreeRowKind kind) {
  switch (kind) {
    case CallTreeRowKind::kFunction:
      return "function";
    case CallTreeRowKind::kEnd:
      return "end";
    case CallTreeRowKind::kRest:
      return "rest";
  }
  return "";
}

// Adds the members for RequestedTable.
class TableMembers {
 public:
  explicit TableMembers(MemberLines& out) : out_(out) {}

  void operator()(std::monostate) {}

  void operator()(const CallersCalleesTable& table) {
    out_.AddArray("tree", table.rows, [&table](const CallersCalleesRow& row) {
      return RowObject(row, table.names);
    });
  }

  void operator()(const DirectedCallTree& directed) {
    const CallTree& tree = directed.tree;
    out_.AddArray(
        directed.direction == CallDirection::kCallers ? "callers" : "callees",
        tree.rows, [&tree](const CallTreeRow& row) {
          const bool is_function = row.kind == CallTreeRowKind::kFunction;
          Json object = {{"depth", row.depth}, {"kind", NameOf(row.kind)}};
          AddText("name", is_function ? tree.names[row.name] : "", object);
          if (row.kind == CallTreeRowKind::kRest) object["count"] = row.count;
          object["value"] = WholeNumber(row.value);
          return object;
        });
  }

  void operator()(const TraceTable& table) {
    out_.AddArray("frames", table.labels, [](const std::string& label) {
      Json object = Json::object();
      AddText("name", label, object);
      return object;
    });
    out_.AddArray("traces", table.traces, [&table](const Trace& trace) {
      return Json{{"value", trace.whole}, {"frames", table.FramesOf(trace)}};
    });
  }

 private:
  MemberLines& out_;
};

}  // namespace

void WriteReportJson(const Profile& profile, const ReportData& report,
                     ByteSink& sink) {
  const ErrorBars bars(profile, report.metric);
  const RowObjects rows(profile, report.metric);
  MemberLines out(sink);
  out.Add("schema", "heapprof.report");
  out.Add("schema_version", kReportSchemaVersion);
  out.Add("tool", {{"name", "heapprof"}, {"version", report.version}});
  out.AddArray("inputs", report.inputs, InputObject);
  out.Add("metric", MetricName(report.metric));
  out.Add("unit", IsObjectCount(report.metric) ? "objects" : "bytes");
  out.Add("granularity", NameOf(report.granularity));
  out.Add("is_difference", profile.is_comparison);
  out.Add("is_exact", bars.is_exact());
  out.AddArray("filters", report.filters, FilterObject);
  out.Add("totals", TotalsObject(profile, report));
  out.Add("shown",
          MeasureObject(report.shown,
                        SampledObjects(profile, profile.samples, report.metric),
                        Extent::kTotal, bars));
  out.AddArray("story", report.story,
               [&rows](const StoryChain& chain) { return rows.Of(chain); });
  out.Add("row_count", report.table.rows.size());
  out.AddArray("rows", TopRows(report.table.rows, report.top),
               [&rows](const FlatRow& row) { return rows.Of(row); });
  std::visit(TableMembers(out), report.requested);
  out.AddArray("threads", report.threads, [&](const ThreadRow& row) {
    return ThreadObject(report, row, rows);
  });
  out.Add("coverage", CoverageObject(report.modules));
  out.AddArray("modules", ModuleArray(report.modules, /*has_dwarf=*/false),
               [](const Json& module) { return module; });
  out.Finish();
}

}  // namespace heapprof
