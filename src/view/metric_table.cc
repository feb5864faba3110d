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
#include "heapprof/stats/sum.h"
#include "heapprof/view/change.h"
#include "heapprof/view/error_bars.h"
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

class MetricTableMaker {
 public:
  MetricTableMaker(const Profile& profile, const MetricTableOptions& options)
      : profile_(profile),
        options_(options),
        labels_(profile, {.granularity = options.granularity,
                          .names = NameForm::kPlain,
                          .with_code = true}) {}

  MetricTable Make() && {
    std::vector<std::vector<LabelChange>> sums =
        SumByLabel(profile_, profile_.samples, labels_, options_.metrics);
    std::vector<Sums> all;
    for (size_t i = 0; i < sums.size(); ++i)
      all.push_back({options_.metrics[i], std::move(sums[i])});
    const std::vector<uint32_t> rows = RowsOf(all);
    std::vector<std::string> texts = labels_.TakeTexts();
    MetricTable table;
    table.rows.reserve(rows.size());
    for (const uint32_t label : rows) {
      const std::string text = std::move(texts[label]);
      table.rows.push_back(RowOf(text, labels_.CodeOf(label), table.texts));
    }
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
    const auto size = [&](uint32_t label) {
      return std::abs(Difference(all.front().values[label].cumulative));
    };
    std::ranges::sort(rows, [&](uint32_t a, uint32_t b) {
      return std::pair(-size(a), std::string_view(labels_.Text(a))) <
             std::pair(-size(b), std::string_view(labels_.Text(b)));
    });
    return rows;
  }

  MetricRow RowOf(std::string_view name, const LabelCode& code,
                  StringTable& texts) const {
    MetricRow row = {.code = code};
    if (options_.granularity == Granularity::kLines) {
      const std::string_view file = profile_.String(code.file);
      const std::string end = ' ' + PlaceOf(file, code.line);
      if (name.ends_with(end)) {
        name.remove_suffix(end.size());
        row.file = texts.Intern(file);
      }
    }
    row.name = texts.Intern(name);
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
  FrameLabels labels_;
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

MetricTable MakeMetricTable(const Profile& profile,
                            const MetricTableOptions& options) {
  return MetricTableMaker(profile, options).Make();
}

}  // namespace heapprof
