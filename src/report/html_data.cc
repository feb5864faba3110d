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

// Collects the columns and their list. The columns of a large profile take much
// memory, so that they are kept in blocks: a string that grows has, for a
// moment, its bytes twice.
class ColumnWriter {
 public:
  // Adds a column with the result of `value(i)` for all i below `count`.
  void Unsigned(const std::string& name, size_t count, auto value) {
    Add(name, "u", count,
        [&](size_t i) { return static_cast<uint64_t>(value(i)); });
  }
  void Signed(const std::string& name, size_t count, auto value) {
    Add(name, "s", count, [&](size_t i) { return ZigZag(value(i)); });
  }
  // Adds a column with increasing numbers as distances.
  void Ascending(const std::string& name, size_t count, auto value) {
    uint64_t last = 0;
    Unsigned(name, count, [&](size_t i) {
      const uint64_t next = value(i);
      return next - std::exchange(last, next);
    });
  }

  Json TakeList() { return std::move(list_); }
  // Writes the columns and frees their memory.
  void WriteTo(ByteSink& out) && {
    for (std::string& block : blocks_) out.Append(std::exchange(block, {}));
  }

 private:
  static constexpr size_t kBlockSize = ByteSink::kBlockSize;
  static constexpr size_t kMostBytes = 10;  // of a number

  static uint64_t ZigZag(int64_t value) {
    return static_cast<uint64_t>(value) << 1 ^
           static_cast<uint64_t>(value >> 63);
  }

  void Add(const std::string& name, const char* kind, size_t count,
           auto value) {
    size_t bytes = 0;
    for (size_t i = 0; i < count; ++i) bytes += Append(value(i));
    list_.push_back({name, kind, count, bytes});
  }

  // Returns the number of bytes.
  size_t Append(uint64_t value) {
    constexpr uint64_t kMore = 0x80;
    if (blocks_.empty() || blocks_.back().size() >= kBlockSize)
      blocks_.emplace_back().reserve(kBlockSize + kMostBytes);
    std::string& block = blocks_.back();
    const size_t start = block.size();
    for (; value >= kMore; value >>= 7)
      block += static_cast<char>(value | kMore);
    block += static_cast<char>(value);
    return block.size() - start;
  }

  Json list_ = Json::array();
  std::vector<std::string> blocks_;
};

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
  const auto [lower, upper] = RoundedOutwards(*interval);
  return {lower, upper};
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
  explicit HtmlDataMaker(const HtmlReport& report)
      : report_(report),
        tree_(report.tree),
        codes_(report.tree.columns.size()) {}

  void Write(ByteSink& out) && {
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
    WriteJson(out);
    std::move(columns_).WriteTo(out);
  }

 private:
  void WriteJson(ByteSink& out) const {
    const std::string json = Serialized(json_);
    std::string size;
    for (int shift = 0; shift < 32; shift += 8)
      size += static_cast<char>(json.size() >> shift);
    out.Append(size);
    out.Append(json);
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
                         {"intervals", std::move(intervals)}});
    }
  }

  void AddThreadChanges() {
    if (report_.thread_changes.empty()) return;
    Json& threads = json_["thread_changes"] = Json::array();
    for (const HtmlThreadChange& thread : report_.thread_changes) {
      Json values = Json::array();
      for (const auto& [change, interval] : thread.cells)
        values.push_back({WholeNumber(change.base.value),
                          WholeNumber(change.now.value),
                          IntervalArray(interval)});
      threads.push_back({{"uid", thread.uid},
                         {"name", Text(thread.name)},
                         {"top", Text(thread.top_function)},
                         {"values", std::move(values)}});
    }
  }

  void AddLabels() {
    const auto& labels = tree_.labels;
    Json names = Json::array();
    Json short_names = Json::array();
    for (const TreeLabel& label : labels) {
      names.push_back(Text(label.name));
      short_names.push_back(label.short_name == label.name
                                ? Json(0)
                                : Json(Text(label.short_name)));
    }
    json_["labels"] = std::move(names);
    json_["short_names"] = std::move(short_names);
    AddNameForms();
    columns_.Unsigned("label.module", labels.size(),
                      [&](size_t i) { return modules_.Of(labels[i].module); });
    columns_.Unsigned("label.file", labels.size(),
                      [&](size_t i) { return files_.Of(labels[i].file); });
    columns_.Unsigned("label.line", labels.size(),
                      [&](size_t i) { return labels[i].line; });
    columns_.Unsigned("label.flags", labels.size(),
                      [&](size_t i) { return labels[i].is_own ? 1 : 0; });
  }

  // Filters in the page match all forms of a name. Nearly all of them are a
  // part of the label.
  void AddNameForms() {
    struct Part {
      size_t start = 0;
      size_t size = 0;
    };
    const auto& labels = tree_.labels;
    std::vector<Part> parts;
    std::vector<size_t> counts(labels.size());
    Json& others = json_["other_names"] = Json::object();
    for (size_t i = 0; i < report_.name_forms.size(); ++i) {
      const std::string label = Text(labels[i].name);
      Json others_of_label = Json::array();
      for (const std::string& form : report_.name_forms[i]) {
        if (form == labels[i].name || form == labels[i].short_name) continue;
        const std::string text = Text(form);
        const size_t start = IsAscii(label) ? label.find(text) : label.npos;
        if (start == label.npos) {
          others_of_label.push_back(text);
        } else {
          parts.push_back({start, text.size()});
          ++counts[i];
        }
      }
      if (!others_of_label.empty())
        AddNewMember(std::to_string(i), std::move(others_of_label), others);
    }
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
    columns_.Unsigned("code.module", codes.size(),
                      [&](size_t i) { return modules_.Of(codes[i].module); });
    columns_.Unsigned("code.file", codes.size(),
                      [&](size_t i) { return files_.Of(codes[i].file); });
  }

  void AddColumn(size_t index) {
    const FrameColumn& column = tree_.columns[index];
    const NodeErrors& errors = report_.errors[index];
    const size_t count = tree_.nodes.size();
    const std::string metric(MetricName(column.metric));
    columns_.Unsigned("self." + metric, count, [&](size_t i) {
      return tree_.ValuesOf(column, i).self.now;
    });
    if (const auto& model = report_.error_models[index]; model) {
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
    if (errors.intervals.empty()) return;
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
          return LabelNumber(FrameOfGroup(report_.groups.rows[i].name));
        });
    AddFunctionNames();
    AddLineNames();
    const auto add_names = [&](const std::string& name,
                               const MetricTable& table, TextNumbers& texts) {
      columns_.Unsigned(name, table.rows.size(),
                        [&](size_t i) { return texts.Of(table.rows[i].name); });
    };
    add_names("files.file", report_.files, files_);
    add_names("modules.module", report_.modules, modules_);
  }

  void AddFunctionNames() {
    const auto& rows = report_.functions.rows;
    Json& names = json_["names"]["functions"] = Json::object();
    columns_.Unsigned("functions.label", rows.size(), [&](size_t i) {
      const size_t label = LabelNumber(rows[i].name);
      if (label == 0)
        AddNewMember(std::to_string(i), Text(rows[i].name), names);
      return label;
    });
  }

  void AddLineNames() {
    const auto& rows = report_.lines.rows;
    Json& names = json_["names"]["lines"] = Json::object();
    std::vector<LineName> parts;
    for (const MetricRow& row : rows) {
      parts.push_back(LineNameOf(row));
      if (parts.back().label == 0)
        AddNewMember(std::to_string(parts.size() - 1), Text(row.name), names);
    }
    columns_.Unsigned("lines.label", parts.size(),
                      [&](size_t i) { return parts[i].label; });
    columns_.Unsigned("lines.file", parts.size(),
                      [&](size_t i) { return parts[i].file; });
    columns_.Unsigned("lines.line", parts.size(),
                      [&](size_t i) { return parts[i].line; });
  }

  struct LineName {
    size_t label = 0;  // index + 1; 0 = none
    size_t file = 0;   // index + 1; 0 = unknown
    uint32_t line = 0;
  };

  // Splits the name of a row, "main /src/a.cc:3", at the last space that
  // follows a label. Names and paths may contain spaces.
  LineName LineNameOf(const MetricRow& row) {
    const std::string& name = row.name;
    const std::string end = fmt::format(":{}", row.code.line);
    if (!name.ends_with(end)) return {};
    const size_t colon = name.size() - end.size();
    for (size_t space = name.rfind(' ', colon); space != name.npos && space > 0;
         space = name.rfind(' ', space - 1)) {
      const size_t label = LabelNumber(name.substr(0, space));
      if (label == 0) continue;
      const std::string file = name.substr(space + 1, colon - space - 1);
      return {label, file == "??" ? 0 : files_.Of(file), row.code.line};
    }
    return {};
  }

  // Returns the index + 1 of a label, or 0 if there is none with this name.
  size_t LabelNumber(const std::string& name) const {
    const auto label =
        std::ranges::lower_bound(tree_.labels, name, {}, &TreeLabel::name);
    if (label == tree_.labels.end() || label->name != name) return 0;
    return static_cast<size_t>(label - tree_.labels.begin()) + 1;
  }

  void AddTable(const std::string& name, const MetricTable& table) {
    for (const MetricColumn& column : table.columns) {
      const std::string prefix =
          fmt::format("{}.{}.", name, MetricName(column.metric));
      AddValues(prefix + "self", prefix + "base_self", column.self);
      AddValues(prefix + "total", prefix + "base_total", column.total);
      AddCellBounds(prefix + "bounds.self.", column.self);
      AddCellBounds(prefix + "bounds.total.", column.total);
    }
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
      return RoundedOutwards(*cells[bounded[i]].interval).lower;
    });
    columns_.Signed(prefix + "upper", bounded.size(), [&](size_t i) {
      return RoundedOutwards(*cells[bounded[i]].interval).upper;
    });
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
      const auto& model = report_.error_models[i];
      if (!model || !model->missed.now || codes_[i].now.empty()) continue;
      for (size_t thread = 0; thread < threads.size(); ++thread)
        AddSliceVariances(PrefixOfSlice("thread", thread, i),
                          threads[thread].by_metric[i], i, *model->missed.now);
    }
  }

  void AddDumpVariances() {
    for (size_t i = 0; i < tree_.columns.size(); ++i) {
      if (!report_.error_models[i]) continue;
      for (size_t dump = 0; dump < report_.dumps.size(); ++dump)
        if (const auto& missed = report_.dumps[dump].missed; missed)
          AddSliceVariances(PrefixOfSlice("dump", dump, i),
                            report_.dump_slices[dump].by_metric[i], i, *missed);
    }
  }

  void AddSeedVariances() {
    for (size_t i = 0; i < tree_.columns.size(); ++i)
      for (const HtmlSeeds& run : report_.seeds) {
        const auto& model = report_.error_models[i];
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
  Json json_;
  ColumnWriter columns_;
  TextNumbers modules_, files_;
};

}  // namespace

int64_t VarianceCode(double variance, double self, double missed) {
  constexpr double kUnit = 1 << 19;
  constexpr double kMost = 64;  // such a share is nothing
  const double share = variance / (self * missed);
  const double code = share > 0 ? -std::log(share) : kMost;
  return std::llround(kUnit * std::clamp(code, -kMost, kMost));
}

void WriteHtmlData(const HtmlReport& report, ByteSink& out) {
  HtmlDataMaker(report).Write(out);
}

}  // namespace heapprof
