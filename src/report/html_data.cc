// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/html_data.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "heapprof/base/byte_sink.h"
#include "heapprof/base/hash.h"
#include "heapprof/base/printable.h"
#include "heapprof/profile/group_frames.h"
#include "heapprof/view/metric_words.h"
#include "heapprof/view/object_sizes.h"
#include "report/column_writer.h"
#include "report/html_errors.h"
#include "report/json_parts.h"
#include "report/source_text.h"
#include "report/valid_utf8.h"

namespace heapprof {
namespace {

std::string Text(std::string_view text) { return ValidUtf8(Printable(text)); }

bool IsAscii(std::string_view text) {
  return std::ranges::all_of(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// Numbers the different texts that are used, from 1 on; the empty one is 0.
class TextNumbers {
 public:
  size_t Of(const std::string& text) {
    if (text.empty()) return 0;
    const auto [it, added] = numbers_.try_emplace(text, texts_.size() + 1);
    if (added) texts_.push_back(Text(text));
    return it->second;
  }
  Json TakeTexts() { return std::move(texts_); }

 private:
  std::unordered_map<std::string, size_t, RandomHash> numbers_;
  Json texts_ = Json::array();
};

Json IntervalArray(const std::optional<Interval>& interval) {
  if (!interval) return {};
  const auto [lower, upper] = WholeBounds(*interval);
  return {lower, upper};
}

// A part of a name and its more names, separated by tabs.
struct NamePart {
  size_t start = 0;
  size_t size = 0;
};

// Adds the forms that are parts, and returns the others, separated by tabs.
// Parts of names that are not ASCII count as others: the page counts in UTF-16.
std::string AddNameParts(std::string_view name, const CompactNames& forms,
                         std::vector<NamePart>& parts) {
  std::string more;
  const auto add = [&more](std::string_view form) {
    if (!more.empty()) more += '\t';
    const size_t start = more.size();
    more += Text(form);
    return start;
  };
  std::vector<std::string_view> texts = {name};
  std::vector<size_t> starts = {0};
  for (const std::string& form : forms.more) {
    starts.push_back(name.size() + 1 + add(form));
    texts.push_back(form);
  }
  const bool is_ascii = std::ranges::all_of(texts, IsAscii);
  for (const auto& [text, start, size] : forms.parts) {
    if (is_ascii)
      parts.push_back({starts[text] + start, size});
    else
      add(texts[text].substr(start, size));
  }
  return more;
}

// Returns 0 if the code is that of the node, or nearly: most nodes are of one
// thread or alike in all dumps. Otherwise, makes room for this 0.
int64_t SliceCode(int64_t code, const std::optional<int64_t>& of_node) {
  constexpr int64_t kNearly = 2;  // self may have been rounded differently
  if (of_node && std::abs(code - *of_node) <= kNearly) return 0;
  return code < 0 ? code : code + 1;
}

// VarianceCode() by joint of the tree, none for joints without a value; empty
// without errors.
using VarianceCodes = std::vector<std::optional<int64_t>>;

class HtmlDataMaker {
 public:
  HtmlDataMaker(const HtmlReport& report, ByteSink& out)
      : report_(report),
        tree_(report.tree),
        codes_(report.tree.columns.size()),
        out_(out),
        columns_(out) {
    label_numbers_.reserve(tree_.labels.size());
    for (size_t i = 0; i < tree_.labels.size(); ++i)
      label_numbers_.emplace(tree_.labels[i].name, i + 1);
  }

  void Write() && {
    AddHead();
    AddLabels();
    AddNodes();
    for (size_t i = 0; i < tree_.columns.size(); ++i) AddColumn(i);
    AddTables();
    AddSlices("thread", report_.thread_slices);
    AddSlices("dump", report_.dump_slices);
    AddSlices("seeds", report_.seed_slices);
    AddThreadVariances();
    AddDumpVariances();
    AddSeedVariances();
    AddSources();
    json_["modules"] = modules_.TakeTexts();
    json_["files"] = files_.TakeTexts();
    json_["columns"] = columns_.TakeList();
    WriteJson();
  }

 private:
  void WriteJson() {
    const std::string json = Serialized(json_);
    std::string size;
    for (int shift = 0; shift < 32; shift += 8)
      size += static_cast<char>(json.size() >> shift);
    out_.Append(json);
    out_.Append(size);
  }

  void AddHead() {
    json_ = {{"is_comparison", tree_.is_comparison},
             {"metric", report_.column}};
    Json& metrics = json_["metrics"] = Json::array();
    for (size_t i = 0; i < report_.graphs.size(); ++i)
      metrics.push_back(MetricObject(report_, i));
    AddThreadList();
    AddThreadChanges();
    Json& dumps = json_["dumps"] = Json::array();
    for (const HtmlDump& dump : report_.dumps)
      dumps.push_back({{"name", Text(dump.name)},
                       {"time", dump.time_seconds},
                       {"missed", dump.missed ? Json(*dump.missed) : Json()}});
    json_["seeds"] = SeedsArray(report_.seeds);
  }

  void AddThreadList() {
    Json& threads = json_["threads"] = Json::array();
    for (size_t i = 0; i < report_.threads.size(); ++i) {
      const ThreadRow& thread = report_.threads[i];
      Json intervals = Json::array();
      for (const auto& interval : report_.thread_slices[i].intervals)
        intervals.push_back(IntervalArray(interval));
      threads.push_back({{"uid", thread.uid},
                         {"name", Text(thread.name)},
                         {"top", Text(thread.top_function)},
                         {"intervals", std::move(intervals)}});
    }
  }

  void AddThreadChanges() {
    if (report_.thread_changes.empty()) return;
    Json& threads = json_["thread_changes"] = Json::array();
    for (const HtmlThreadChange& thread : report_.thread_changes) {
      Json values = Json::array();
      for (const auto& [change, interval, has_changed] : thread.cells)
        values.push_back({WholeNumber(change.base.value),
                          WholeNumber(change.now.value),
                          IntervalArray(interval), has_changed});
      threads.push_back({{"uid", thread.uid},
                         {"name", Text(thread.name)},
                         {"top", Text(thread.top_function)},
                         {"values", std::move(values)}});
    }
  }

  void AddLabels() {
    const auto& labels = tree_.labels;
    columns_.Texts("label.name", labels.size(),
                   [&](size_t i) { return Text(labels[i].name); });
    columns_.Texts("label.short_name", labels.size(), [&](size_t i) {
      const TreeLabel& label = labels[i];
      return label.short_name == label.name ? "" : Text(label.short_name);
    });
    AddShownNames();
    columns_.Unsigned("label.module", labels.size(),
                      [&](size_t i) { return modules_.Of(labels[i].module); });
    columns_.Unsigned("label.file", labels.size(),
                      [&](size_t i) { return files_.Of(labels[i].file); });
    columns_.Unsigned("label.line", labels.size(),
                      [&](size_t i) { return labels[i].line; });
    columns_.Unsigned("label.flags", labels.size(),
                      [&](size_t i) { return labels[i].is_own ? 1 : 0; });
  }

  void AddShownNames() {
    std::vector<std::string> more;
    std::vector<size_t> counts;
    std::vector<NamePart> parts;
    for (size_t i = 0; i < report_.shown_names.size(); ++i) {
      const size_t before = parts.size();
      more.push_back(
          AddNameParts(tree_.labels[i].name, report_.shown_names[i], parts));
      counts.push_back(parts.size() - before);
    }
    columns_.Texts("label.more_names", more.size(),
                   [&](size_t i) -> std::string_view { return more[i]; });
    columns_.Unsigned("label.name_parts", counts.size(),
                      [&](size_t i) { return counts[i]; });
    columns_.Unsigned("name_part.start", parts.size(),
                      [&](size_t i) { return parts[i].start; });
    columns_.Unsigned("name_part.size", parts.size(),
                      [&](size_t i) { return parts[i].size; });
  }

  void AddNodes() {
    const auto& nodes = tree_.nodes;
    columns_.Unsigned("node.label", nodes.size(),
                      [&](size_t i) { return nodes[i].label; });
    columns_.Unsigned("node.up", nodes.size(), [&](size_t i) {
      return i == 0 ? 0 : nodes[i - 1].depth + 1 - nodes[i].depth;
    });
    const auto& codes = tree_.node_codes;
    columns_.Ascending("code.node", codes.size(),
                       [&](size_t i) { return codes[i].node; });
    // Those that no node has are not numbered.
    const auto add_places = [&](const std::string& name,
                                std::string FramePlace::* part,
                                TextNumbers& texts) {
      std::vector<std::optional<size_t>> numbers(tree_.places.size());
      columns_.Unsigned(name, codes.size(), [&](size_t i) {
        auto& number = numbers[codes[i].place];
        if (!number) number = texts.Of(tree_.places[codes[i].place].*part);
        return *number;
      });
    };
    add_places("code.module", &FramePlace::module, modules_);
    add_places("code.file", &FramePlace::file, files_);
  }

  void AddColumn(size_t index) {
    const FrameColumn& column = tree_.columns[index];
    const HtmlErrors& errors = report_.errors[index];
    const size_t count = tree_.nodes.size();
    const std::string metric(MetricName(column.metric));
    columns_.Unsigned("self." + metric, count, [&](size_t i) {
      return tree_.ValuesOf(column, i).self.now;
    });
    if (const auto& model = errors.model; model) {
      for (const Side side : kSides)
        codes_[index][side] = CodesOf(column.sides[side], model->missed[side]);
      AddCodes("variance." + metric, codes_[index].now);
      AddCodes("base_variance." + metric, codes_[index].base);
    }
    AddBounds("bounds." + metric + '.', errors.intervals);
    if (!tree_.is_comparison) return;
    columns_.Unsigned("base." + metric, count, [&](size_t i) {
      return tree_.ValuesOf(column, i).self.base;
    });
    if (!errors.level_of_changes) return;
    columns_.Unsigned("changed." + metric, count, [&](size_t i) {
      return errors.changes[tree_.nodes[i].joint] == FrameChange::kNone ? 0 : 1;
    });
  }

  VarianceCodes CodesOf(const FrameSums& sums,
                        const std::optional<double>& missed) const {
    VarianceCodes codes;
    if (!missed || sums.variances.empty()) return codes;
    const std::vector<double> variances = SelfVariances(tree_, sums);
    for (size_t joint = 0; joint < tree_.joints.size(); ++joint) {
      const int64_t self = sums.before[joint + 1] - sums.before[joint];
      codes.emplace_back();
      if (self != 0)
        codes.back() =
            VarianceCode(variances[joint], static_cast<double>(self), *missed);
    }
    return codes;
  }

  void AddCodes(const std::string& name, const VarianceCodes& codes) {
    std::vector<int64_t> known;
    for (const auto& code : codes)
      if (code) known.push_back(*code);
    if (known.empty()) return;
    columns_.Signed(name, known.size(), [&](size_t i) { return known[i]; });
  }

  void AddBounds(const std::string& prefix,
                 const std::vector<NodeInterval>& intervals) {
    if (intervals.empty()) return;
    columns_.Ascending(prefix + "node", intervals.size(),
                       [&](size_t i) { return intervals[i].node; });
    columns_.Signed(prefix + "lower", intervals.size(), [&](size_t i) {
      return WholeNumber(intervals[i].interval.lower);
    });
    columns_.Signed(prefix + "upper", intervals.size(), [&](size_t i) {
      return WholeNumber(intervals[i].interval.upper);
    });
  }

  void AddTables() {
    json_["names"] = Json::object();
    AddTable("functions", report_.functions);
    AddTable("lines", report_.lines);
    AddTable("files", report_.files);
    AddTable("modules", report_.modules);
    AddTable("groups", report_.groups);
    columns_.Unsigned(
        "groups.label", report_.groups.rows.size(), [&](size_t i) {
          return LabelNumber(
              FrameOfGroup(report_.groups.NameOf(report_.groups.rows[i])));
        });
    AddLabelsOf("functions", report_.functions, LabelsOf(report_.functions));
    AddLineNames();
    const auto add_names = [&](const std::string& name,
                               const MetricTable& table, TextNumbers& texts) {
      columns_.Unsigned(name, table.rows.size(), [&](size_t i) {
        return texts.Of(table.NameOf(table.rows[i]));
      });
    };
    add_names("files.file", report_.files, files_);
    add_names("modules.module", report_.modules, modules_);
  }

  // Adds the labels of the rows of a table, and the names of rows without one.
  void AddLabelsOf(const std::string& table, const MetricTable& made,
                   const std::vector<size_t>& labels) {
    Json& names = json_["names"][table] = Json::object();
    columns_.Unsigned(table + ".label", labels.size(), [&](size_t i) {
      if (labels[i] == 0)
        AddNewMember(std::to_string(i), Text(made.NameOf(made.rows[i])), names);
      return labels[i];
    });
  }

  // Returns the label of the function of each row.
  std::vector<size_t> LabelsOf(const MetricTable& table) const {
    std::vector<size_t> of_texts;
    for (uint32_t i = 0; i < table.texts.size(); ++i)
      of_texts.push_back(LabelNumber(table.texts.Get(StringId{i})));
    std::vector<size_t> labels;
    for (const MetricRow& row : table.rows)
      labels.push_back(of_texts[row.name.index()]);
    return labels;
  }

  void AddLineNames() {
    const MetricTable& table = report_.lines;
    std::vector<size_t> labels = LabelsOf(table);
    for (size_t i = 0; i < labels.size(); ++i)
      if (!table.rows[i].file) labels[i] = 0;  // the row is no line
    AddLabelsOf("lines", table, labels);
    columns_.Unsigned("lines.file", labels.size(), [&](size_t i) {
      return labels[i] == 0
                 ? 0
                 : files_.Of(std::string(table.texts.Get(*table.rows[i].file)));
    });
    columns_.Unsigned("lines.line", labels.size(), [&](size_t i) {
      return labels[i] == 0 ? 0 : table.rows[i].code.line;
    });
  }

  // Returns the index + 1 of a label, or 0 if there is none with this name.
  size_t LabelNumber(std::string_view name) const {
    const auto found = label_numbers_.find(name);
    return found == label_numbers_.end() ? 0 : found->second;
  }

  void AddTable(const std::string& name, const MetricTable& table) {
    for (const MetricColumn& column : table.columns) {
      const std::string prefix =
          fmt::format("{}.{}.", name, MetricName(column.metric));
      AddValues(prefix + "self", prefix + "base_self", column.self);
      AddValues(prefix + "total", prefix + "base_total", column.total);
      AddCellBounds(prefix + "bounds.self.", column.self);
      AddCellBounds(prefix + "bounds.total.", column.total);
      AddChangedCells(prefix + "changed.self", column.self);
      AddChangedCells(prefix + "changed.total", column.total);
      AddSizes(prefix + "size", table, column);
    }
  }

  // The mean sizes of the objects in the totals. The page could not compute
  // them: it has whole numbers of objects, which are estimates, often small.
  void AddSizes(const std::string& name, const MetricTable& table,
                const MetricColumn& bytes) {
    if (tree_.is_comparison || IsObjectCount(bytes.metric)) return;
    const auto objects = std::ranges::find(
        table.columns, ObjectsOf(bytes.metric), &MetricColumn::metric);
    if (objects == table.columns.end()) return;
    columns_.Unsigned(name, bytes.total.size(), [&](size_t i) {
      const auto size = MeanObjectSize(bytes.total[i].change.now.value,
                                       objects->total[i].change.now.value);
      return WholeNumber(size.value_or(0));
    });
  }

  void AddValues(const std::string& name, const std::string& base_name,
                 const std::vector<MetricCell>& cells) {
    columns_.Signed(name, cells.size(), [&](size_t i) {
      return WholeNumber(cells[i].change.now.value);
    });
    if (tree_.is_comparison)
      columns_.Signed(base_name, cells.size(), [&](size_t i) {
        return WholeNumber(cells[i].change.base.value);
      });
  }

  void AddCellBounds(const std::string& prefix,
                     const std::vector<MetricCell>& cells) {
    std::vector<size_t> bounded;
    for (size_t i = 0; i < cells.size(); ++i)
      if (cells[i].interval) bounded.push_back(i);
    if (bounded.empty()) return;
    columns_.Ascending(prefix + "row", bounded.size(),
                       [&](size_t i) { return bounded[i]; });
    columns_.Signed(prefix + "lower", bounded.size(), [&](size_t i) {
      return WholeBounds(*cells[bounded[i]].interval).lower;
    });
    columns_.Signed(prefix + "upper", bounded.size(), [&](size_t i) {
      return WholeBounds(*cells[bounded[i]].interval).upper;
    });
  }

  void AddChangedCells(const std::string& name,
                       const std::vector<MetricCell>& cells) {
    std::vector<size_t> changed;
    for (size_t i = 0; i < cells.size(); ++i)
      if (cells[i].has_changed) changed.push_back(i);
    if (changed.empty()) return;
    columns_.Ascending(name, changed.size(),
                       [&](size_t i) { return changed[i]; });
  }

  void AddSlices(std::string_view kind, const std::vector<HtmlSlices>& slices) {
    for (size_t part = 0; part < slices.size(); ++part)
      for (size_t i = 0; i < tree_.columns.size(); ++i) {
        const std::vector<NodeValue>& values = slices[part].by_metric[i];
        const std::string prefix = PrefixOfSlice(kind, part, i);
        columns_.Ascending(prefix + "node", values.size(),
                           [&](size_t j) { return values[j].node; });
        columns_.Unsigned(prefix + "self", values.size(),
                          [&](size_t j) { return values[j].self; });
      }
  }

  // Side by side, these columns take a quarter of the bytes when compressed.
  void AddThreadVariances() {
    const auto& threads = report_.thread_slices;
    for (size_t i = 0; i < tree_.columns.size(); ++i) {
      const auto& model = report_.errors[i].model;
      if (!model || !model->missed.now || codes_[i].now.empty()) continue;
      for (size_t thread = 0; thread < threads.size(); ++thread)
        AddSliceVariances(PrefixOfSlice("thread", thread, i),
                          threads[thread].by_metric[i], i, *model->missed.now);
    }
  }

  void AddDumpVariances() {
    for (size_t i = 0; i < tree_.columns.size(); ++i) {
      if (!report_.errors[i].model) continue;
      for (size_t dump = 0; dump < report_.dumps.size(); ++dump)
        if (const auto& missed = report_.dumps[dump].missed; missed)
          AddSliceVariances(PrefixOfSlice("dump", dump, i),
                            report_.dump_slices[dump].by_metric[i], i, *missed);
    }
  }

  void AddSeedVariances() {
    for (size_t i = 0; i < tree_.columns.size(); ++i)
      for (const HtmlSeeds& run : report_.seeds) {
        const auto& model = report_.errors[i].model;
        if (run.are_threads || !model || !model->missed[run.side]) continue;
        for (size_t j = 0; j < run.slice_count; ++j)
          AddSliceVariances(
              PrefixOfSlice("seeds", run.first_slice + j, i),
              report_.seed_slices[run.first_slice + j].by_metric[i], i,
              *model->missed[run.side], run.side);
      }
  }

  void AddSliceVariances(const std::string& prefix, const TreeSlice& slice,
                         size_t column, double missed, Side side = Side::kNew) {
    const VarianceCodes& codes = codes_[column][side];
    columns_.Signed(prefix + "variance", slice.size(), [&](size_t i) {
      const auto& [node, self, variance] = slice[i];
      return SliceCode(
          VarianceCode(variance, static_cast<double>(self), missed),
          codes.empty() ? std::nullopt : codes[tree_.nodes[node].joint]);
    });
  }

  std::string PrefixOfSlice(std::string_view kind, size_t part,
                            size_t column) const {
    return fmt::format("{}.{}.{}.", kind, part,
                       MetricName(tree_.columns[column].metric));
  }

  void AddSources() {
    Json& sources = json_["sources"] = Json::array();
    for (const HtmlSource& source : report_.sources) {
      const auto [first, last] = SourceRangeOf(source.function, source.lines);
      const size_t end = std::min(last, source.lines.size());
      if (first > end) continue;
      Json lines = Json::array();
      for (size_t number = first; number <= end; ++number)
        lines.push_back(Text(WithoutTabs(source.lines[number - 1])));
      AddSourceValues(sources.size(), source.function, first, lines.size());
      sources.push_back({{"label", LabelNumber(source.function.name)},
                         {"file", files_.Of(source.function.file)},
                         {"first_line", first},
                         {"lines", std::move(lines)}});
    }
  }

  void AddSourceValues(size_t index, const ListedFunction& function,
                       size_t first, size_t count) {
    std::vector<ListedLine> values(count);
    for (const ListedLine& line : function.lines)
      if (line.line >= first && line.line - first < count)
        values[line.line - first] = line;
    const std::string prefix =
        fmt::format("source.{}.{}.", index,
                    MetricName(tree_.columns[report_.column].metric));
    columns_.Signed(prefix + "self", count,
                    [&](size_t i) { return WholeNumber(values[i].flat); });
    columns_.Signed(prefix + "total", count, [&](size_t i) {
      return WholeNumber(values[i].cumulative);
    });
  }

  const HtmlReport& report_;
  const FrameTree& tree_;
  std::vector<Sides<VarianceCodes>> codes_;  // by column
  // Index + 1 by name.
  std::unordered_map<std::string_view, size_t, RandomHash> label_numbers_;
  Json json_;
  ByteSink& out_;
  ColumnWriter columns_;
  TextNumbers modules_, files_;
};

}  // namespace

int64_t VarianceCode(double variance, double self, double missed) {
  constexpr double kUnit = 1 << 19;
  constexpr double kMost = 64;  // such a share is nothing
  const double share = variance / (self * (missed == 0 ? 1 : missed));
  const double code = share > 0 ? -std::log(share) : kMost;
  return std::llround(kUnit * std::clamp(code, -kMost, kMost));
}

void WriteHtmlData(const HtmlReport& report, ByteSink& out) {
  HtmlDataMaker(report, out).Write();
}

}  // namespace heapprof
