// SPDX-License-Identifier: Apache-2.0
#include "report/trend_chart.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/chrono.h>

#include "heapprof/base/append_format.h"
#include "heapprof/base/base_name.h"
#include "heapprof/base/nanoseconds.h"
#include "heapprof/view/units.h"
#include "report/xml_escaped.h"

namespace heapprof {
namespace {

// The place of a picture's plot, in pixels.
struct Box {
  double left = 0;
  double top = 0;
  double width = 0;
  double height = 0;
};

// Turns dumps and bytes into pixels.
class PlotScale {
 public:
  PlotScale(const Box& box, const TrendRow& row, double highest)
      : box_(box),
        first_(row.points.front().at),
        length_(row.points.back().at - first_),
        highest_(std::max(1.0, highest)) {}

  double X(const SeriesPoint& point) const {
    return box_.left +
           (length_ > 0 ? (point.at - first_) / length_ * box_.width : 0);
  }
  double Y(double bytes) const {
    return box_.top + box_.height * (1 - std::max(0.0, bytes) / highest_);
  }

 private:
  const Box& box_;
  double first_;
  double length_;
  double highest_;
};

// A round number of a binary unit, so that there are three to six ticks.
double TickStep(double highest) {
  const double least = highest / 5;
  double unit = 1;
  while (unit * 1024 <= least) unit *= 1024;
  for (const int factor : {1, 2, 5, 10, 20, 50, 100, 200, 500})
    if (factor * unit >= least) return factor * unit;
  return unit * 1024;
}

class ChartWriter {
 public:
  ChartWriter(const TrendTable& table, const TrendRow& row)
      : table_(table),
        row_(row),
        highest_(HighestBound()),
        scale_(kBox, row, highest_) {}

  std::string Write() && {
    AppendFormat(out_,
                 "<svg class=\"trend\" viewBox=\"0 0 {} {}\" role=\"img\" "
                 "aria-label=\"{} from dump to dump\">\n",
                 kWidth, kHeight, XmlEscaped(row_.name));
    AddTicks();
    AddBand();
    AddLine();
    AddEnds();
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  static constexpr int kWidth = 760, kHeight = 190;
  // On the left, "1000 KiB" has room even in the large type of narrow windows.
  static constexpr Box kBox = {
      .left = 102, .top = 10, .width = kWidth - 116, .height = kHeight - 40};

  double HighestBound() const {
    double highest = 0;
    for (const SeriesPoint& point : row_.points)
      highest = std::max(highest, IntervalOf(point).upper);
    return highest;
  }

  void AddTicks() {
    const double step = TickStep(std::max(1.0, highest_));
    for (double value = 0; value <= highest_; value += step)
      AppendFormat(out_,
                   "<line class=\"tick\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" "
                   "y2=\"{2:.1f}\"/><text x=\"{3}\" y=\"{4:.1f}\" "
                   "class=\"amount\">{5}</text>\n",
                   kBox.left, kBox.left + kBox.width, scale_.Y(value),
                   kBox.left - 8, scale_.Y(value) + 4,
                   FormatSize(static_cast<uint64_t>(value)));
  }

  void AddBand() {
    std::string lower;
    out_ += "<path class=\"error\" d=\"M";
    for (const SeriesPoint& point : row_.points)
      AppendFormat(out_, "{:.1f} {:.1f} ", scale_.X(point),
                   scale_.Y(IntervalOf(point).upper));
    for (auto point = row_.points.rbegin(); point != row_.points.rend();
         ++point)
      AppendFormat(out_, "{:.1f} {:.1f} ", scale_.X(*point),
                   scale_.Y(IntervalOf(*point).lower));
    out_.back() = 'Z';
    out_ += "\"/>\n";
  }

  void AddLine() {
    out_ += "<polyline points=\"";
    for (const SeriesPoint& point : row_.points)
      AppendFormat(out_, "{:.1f},{:.1f} ", scale_.X(point),
                   scale_.Y(point.bytes.value));
    out_.back() = '"';
    out_ += "/>\n";
    // More would touch each other.
    constexpr size_t kMostDots = 120;
    if (row_.points.size() > kMostDots) return;
    for (size_t i = 0; i < row_.points.size(); ++i) {
      const SeriesPoint& point = row_.points[i];
      AppendFormat(out_,
                   "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"><title>{}: "
                   "{}</title></circle>\n",
                   scale_.X(point), scale_.Y(point.bytes.value),
                   XmlEscaped(BaseName(table_.dumps[i].path)),
                   FormatWithInterval(point.bytes.value, IntervalOf(point),
                                      Unit::kMegabytes));
    }
  }

  // Says where the line begins and ends.
  void AddEnds() {
    const auto add = [this](double x, std::string_view text_class,
                            const std::string& text) {
      AppendFormat(out_, "<text x=\"{}\" y=\"{}\" class=\"{}\">{}</text>\n", x,
                   kHeight - 8, text_class, text);
    };
    add(kBox.left, "first", EndText(0));
    if (row_.points.size() > 1)
      add(kBox.left + kBox.width, "last", EndText(row_.points.size() - 1));
  }

  std::string EndText(size_t dump) const {
    switch (table_.axis) {
      case TrendAxis::kHours:
        return fmt::format(
            "{:%Y-%m-%d %H:%M} UTC",
            fmt::gmtime(table_.dumps[dump].time_ns / kNanosecondsPerSecond));
      case TrendAxis::kDumps:
        return fmt::format("dump {}", 1 + table_.dumps[dump].sequence -
                                          table_.dumps[0].sequence);
      default:
        return FormatBytes(table_.dumps[dump].allocated) + " allocated";
    }
  }

  const TrendTable& table_;
  const TrendRow& row_;
  const double highest_;
  const PlotScale scale_;
  std::string out_;
};

}  // namespace

std::string TrendChart(const TrendTable& table, const TrendRow& row) {
  return ChartWriter(table, row).Write();
}

std::string TrendSparkline(const TrendRow& row) {
  constexpr Box kBox = {.left = 1, .top = 2, .width = 98, .height = 18};
  const PlotScale scale(kBox, row, row.peak);
  std::string out =
      "<svg class=\"spark\" viewBox=\"0 0 100 22\" aria-hidden=\"true\">"
      "<polyline points=\"";
  for (const SeriesPoint& point : row.points)
    AppendFormat(out, "{:.1f},{:.1f} ", scale.X(point),
                 scale.Y(point.bytes.value));
  out.back() = '"';
  return out + "/></svg>";
}

}  // namespace heapprof
