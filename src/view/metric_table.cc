// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/metric_table.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "heapprof/profile/line_place.h"
#include "heapprof/stats/growth.h"
#include "heapprof/stats/sum.h"
#include "heapprof/view/change.h"
#include "view/label_sums.h"

namespace heapprof {
namespace {

// The sums of one metric, by label.
struct Sums {
  Metric metric = Metric::kInuseSpace;
  std::vector<LabelChange> values;
};

double SizeOf(const Change& change) {
  return std::max({std::abs(Difference(change)), std::abs(change.now.value),
                   std::abs(change.base.value)});
}

// True if both sides hold nothing; see also LabelChange::IsZero().
bool IsAbsent(const LabelChange& sum) {
  return SizeOf(sum.flat) == 0 && SizeOf(sum.cumulative) == 0;
}

// Rows with equal totals are in the order of their names, files and lines. Not
// in the function that sorts them, as g++ 13 then cannot compile it.
struct RowOrder {
  double size = 0;  // negative: the largest first
  uint32_t name = 0;
  uint32_t file = 0;
  uint32_t line = 0;
  uint32_t label = 0;

  auto operator<=>(const RowOrder&) const = default;
};

class MetricTableMaker {
 public:
  MetricTableMaker(const Profile& profile, const MetricTableOptions& options)
      : profile_(profile),
        options_(options),
        labels_(profile,
                {.granularity = options.granularity,
                 .names = NameForm::kPlain,
                 .with_code = true,
                 .omits_places = options.granularity == Granularity::kLines}) {}

  MetricTable Make() && {
    std::vector<std::vector<LabelChange>> sums =
        SumByLabel(profile_, profile_.samples, labels_, options_.metrics);
    std::vector<Sums> all;
    for (size_t i = 0; i < sums.size(); ++i)
      all.push_back({options_.metrics[i], std::move(sums[i])});
    const std::vector<uint32_t> rows = RowsOf(all);
    MetricTable table;
    table.rows.reserve(rows.size());
    names_.resize(labels_.texts().size());
    files_.resize(profile_.strings.size());
    for (const uint32_t label : rows)
      table.rows.push_back(RowOf(label, table.texts));
    for (const Sums& column : all)
      table.columns.push_back(ColumnOf(column, rows));
    return table;
  }

 private:
  std::vector<uint32_t> RowsOf(const std::vector<Sums>& all) const {
    std::vector<uint32_t> rows;
    for (uint32_t label = 0; label < labels_.size(); ++label)
      if (!std::ranges::all_of(all, [label](const Sums& sums) {
            return IsAbsent(sums.values[label]);
          }))
        rows.push_back(label);
    if (all.empty()) return rows;
    const std::vector<uint32_t> names = labels_.TextRanks();
    const std::vector<uint32_t> files = FileRanks(rows);
    std::vector<RowOrder> keys;
    keys.reserve(rows.size());
    for (const uint32_t label : rows) {
      const LabelCode& code = labels_.CodeOf(label);
      keys.push_back(
          {-std::abs(Difference(all.front().values[label].cumulative)),
           names[labels_.text_of()[label]], files[code.file.index()], code.line,
           label});
    }
    std::ranges::sort(keys);
    for (size_t i = 0; i < rows.size(); ++i) rows[i] = keys[i].label;
    return rows;
  }

  // Returns the ranks of the files of these labels in byte order, by string.
  std::vector<uint32_t> FileRanks(const std::vector<uint32_t>& rows) const {
    std::vector<uint32_t> ranks(profile_.strings.size());
    std::vector<StringId> files;
    for (const uint32_t label : rows) {
      const StringId file = labels_.CodeOf(label).file;
      if (std::exchange(ranks[file.index()], 1) == 0) files.push_back(file);
    }
    std::ranges::sort(files, {},
                      [this](StringId file) { return profile_.String(file); });
    for (uint32_t i = 0; i < files.size(); ++i) ranks[files[i].index()] = i;
    return ranks;
  }

  MetricRow RowOf(uint32_t label, StringTable& texts) {
    const LabelCode& code = labels_.CodeOf(label);
    // A long name has many lines, and a file even more.
    StringId& name = names_[labels_.text_of()[label]];
    if (name.IsNone()) name = texts.Intern(labels_.Text(label));
    MetricRow row = {.name = name, .code = code};
    if (options_.granularity == Granularity::kLines && code.is_place) {
      StringId& file = files_[code.file.index()];
      if (file.IsNone()) file = texts.Intern(profile_.String(code.file));
      row.file = file;
    }
    return row;
  }

  MetricColumn ColumnOf(const Sums& sums,
                        const std::vector<uint32_t>& rows) const {
    const ErrorBars errors(profile_, sums.metric);
    const double least =
        options_.least_share * SizeOf(TotalChange(profile_, sums.metric));
    const auto cell = [&](uint32_t label, Change LabelChange::* part) {
      MetricCell made = {.change = sums.values[label].*part};
      if (const double size = SizeOf(made.change); size != 0 && size >= least)
        made.interval = errors.Of(made.change);
      if (!profile_.is_comparison) MakeNonNegative(made.change);
      return made;
    };
    MetricColumn column = {.metric = sums.metric};
    for (const uint32_t label : rows) {
      column.self.push_back(cell(label, &LabelChange::flat));
      column.total.push_back(cell(label, &LabelChange::cumulative));
    }
    return column;
  }

  const Profile& profile_;
  const MetricTableOptions& options_;
  const FrameLabels labels_;
  // In the table's texts, none if not there yet.
  std::vector<StringId> names_;  // by text of the labels
  std::vector<StringId> files_;  // by string of the profile
};

}  // namespace

std::string MetricTable::NameOf(const MetricRow& row) const {
  const std::string_view name = texts.Get(row.name);
  return row.file ? fmt::format("{} {}", name,
                                PlaceOf(texts.Get(*row.file), row.code.line))
                  : std::string(name);
}

std::vector<size_t> LargestRows(const MetricColumn& column, size_t most) {
  std::vector<size_t> rows(column.total.size());
  std::iota(rows.begin(), rows.end(), size_t{0});
  std::ranges::stable_sort(rows, std::ranges::greater(), [&](size_t i) {
    return std::abs(Difference(column.total[i].change));
  });
  rows.resize(std::min(rows.size(), most));
  return rows;
}

void MarkChangedCells(const ErrorBars& errors, double level,
                      std::vector<MetricCell>& cells) {
  for (MetricCell& cell : cells)
    cell.has_changed = cell.interval && !cell.interval->Contains(0) &&
                       HasChanged(errors.GrowthOf(cell.change), level);
}

MetricTable MakeMetricTable(const Profile& profile,
                            const MetricTableOptions& options) {
  return MetricTableMaker(profile, options).Make();
}

}  // namespace heapprof
