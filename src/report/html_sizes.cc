// SPDX-License-Identifier: Apache-2.0
#include "report/html_sizes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "heapprof/base/append_format.h"
#include "heapprof/base/text_columns.h"
#include "heapprof/report/sizes.h"
#include "heapprof/view/change.h"
#include "heapprof/view/size_class.h"
#include "report/xml_escaped.h"

namespace heapprof {
namespace {

constexpr size_t kLongestLabel = 2000;

// In pixels. Widths are percentages, so that the figure fits every screen.
constexpr double kTop = 18, kHeight = 150, kBottom = 20, kLine = 14;
constexpr size_t kFewestSlots = 24;

// What a row holds above zero, and below it.
struct Extremes {
  double above = 0;
  double below = 0;
};

Extremes ExtremesOf(const SizeRow& row) {
  Extremes sums;
  for (const double part : row.parts)
    (part > 0 ? sums.above : sums.below) += part;
  return sums;
}

class Histogram {
 public:
  Histogram(const SizeTable& sizes, bool is_comparison, Unit unit)
      : sizes_(sizes), is_comparison_(is_comparison), unit_(unit) {
    for (const SizeRow& row : sizes.rows)
      if (row.size != 0) bars_.push_back(&row);
    FindSlots();
    for (const SizeRow* row : bars_) {
      const Extremes sums = ExtremesOf(*row);
      largest_ = std::max(largest_, sums.above);
      smallest_ = std::min(smallest_, sums.below);
    }
  }

  std::string Write() && {
    if (bars_.empty() || largest_ == smallest_) return "";
    out_ = "<figure class=\"sizes\">\n<h3>Sizes of objects</h3>\n";
    WritePicture();
    WriteLegend();
    WriteCaption();
    out_ += "</figure>\n";
    return std::move(out_);
  }

 private:
  // Every class between the smallest and the largest one has a slot.
  void FindSlots() {
    if (bars_.empty()) return;
    const uint64_t largest = bars_.back()->size;
    uint64_t size = bars_.front()->size;
    while (size < largest || slots_.size() < kFewestSlots) {
      slots_.push_back(size);
      const uint64_t next = SizeClassOf(size + 1);
      if (next < size) break;  // there is no larger class
      size = next;
    }
    if (slots_.back() < largest) slots_.push_back(largest);
  }

  // In percent of the width.
  double SlotWidth() const {
    return 100.0 / static_cast<double>(slots_.size());
  }
  double LeftOf(uint64_t size) const {
    const auto slot = std::ranges::lower_bound(slots_, size);
    return static_cast<double>(slot - slots_.begin()) * SlotWidth();
  }
  double YOf(double value) const {
    return kTop + kHeight * (largest_ - value) / (largest_ - smallest_);
  }

  double Bottom() const {
    return kTop + kHeight + kBottom + (smallest_ < 0 ? kLine : 0);
  }

  void WritePicture() {
    AppendFormat(out_,
                 "<svg width=\"100%\" height=\"{}\" role=\"img\" "
                 "aria-label=\"{} by the size of objects\">\n",
                 Bottom(), is_comparison_ ? "Change" : "Memory");
    if (largest_ > 0) WriteLine(largest_);
    if (smallest_ < 0) WriteLine(smallest_);
    for (const SizeRow* row : bars_) WriteBar(*row);
    AppendFormat(out_,
                 "<line class=\"axis\" x1=\"0\" x2=\"100%\" y1=\"{0:.1f}\" "
                 "y2=\"{0:.1f}\"/>\n",
                 YOf(0));
    WriteSizeLabels();
    out_ += "</svg>\n";
  }

  // The text is on the side of the line where there are no bars.
  void WriteLine(double value) {
    AppendFormat(out_,
                 "<line class=\"grid\" x1=\"0\" x2=\"100%\" y1=\"{0:.1f}\" "
                 "y2=\"{0:.1f}\"/><text x=\"0\" y=\"{1:.1f}\">{2}</text>\n",
                 YOf(value), YOf(value) + (value < 0 ? kLine - 1 : -4),
                 ValueText(value));
  }

  std::string ValueText(double value) const {
    return std::string(is_comparison_ ? PlusOf(value) : "") +
           FormatAmount(value, unit_);
  }

  void WriteBar(const SizeRow& row) {
    constexpr double kGap = 0.12;  // of a slot
    AppendFormat(out_, "<g><title>{}</title>\n", BarText(row));
    double above = 0, below = 0;
    for (size_t i = 0; i < row.parts.size(); ++i) {
      double& from = row.parts[i] > 0 ? above : below;
      const double to = from + row.parts[i];
      const double top = YOf(std::max(from, to));
      const double height = YOf(std::min(from, to)) - top;
      from = to;
      constexpr double kLeast = 0.05;
      if (height < kLeast) continue;
      AppendFormat(out_,
                   "<rect class=\"{}\" x=\"{:.3f}%\" y=\"{:.1f}\" "
                   "width=\"{:.3f}%\" height=\"{:.1f}\"/>",
                   ClassOf(i), LeftOf(row.size) + SlotWidth() * kGap / 2, top,
                   SlotWidth() * (1 - kGap), height);
    }
    out_ += "</g>\n";
  }

  std::string ClassOf(size_t part) const {
    return part < sizes_.functions.size() ? fmt::format("band-{}", part)
                                          : "band-others";
  }

  // Escaped: the line breaks stay.
  std::string BarText(const SizeRow& row) const {
    std::string text = fmt::format("{}: {}, {}", FormatSize(row.size),
                                   ValueText(WholeChange(row.sum)),
                                   FormatAmount(row.objects, Unit::kObjects));
    for (size_t i = 0; i < row.parts.size(); ++i)
      if (std::abs(row.parts[i]) >= 1)
        AppendFormat(text, "\n{}  {}", ValueText(row.parts[i]),
                     XmlEscaped(NameOf(i)));
    return text;
  }

  std::string NameOf(size_t part) const {
    return part < sizes_.functions.size()
               ? Shortened(sizes_.functions[part], kLongestLabel)
               : "other functions";
  }

  // Powers of two, so far apart that they do not overlap on a telephone.
  void WriteSizeLabels() {
    constexpr double kEdge = 6;  // in percent of the width, as the distances
    constexpr double kLeastDistance = 16;
    double last = -kLeastDistance;
    for (const uint64_t slot : slots_) {
      const double middle = LeftOf(slot) + SlotWidth() / 2;
      const double place = std::clamp(middle, kEdge, 100 - kEdge);
      if (!std::has_single_bit(slot) || place - last < kLeastDistance) continue;
      last = place;
      AppendFormat(out_,
                   "<text x=\"{:.3f}%\" y=\"{}\" text-anchor=\"{}\">{}"
                   "</text>\n",
                   middle, Bottom() - 5,
                   middle < kEdge         ? "start"
                   : middle > 100 - kEdge ? "end"
                                          : "middle",
                   FormatSize(slot));
    }
  }

  void WriteLegend() {
    out_ += "<ul class=\"legend\">\n";
    const bool has_others = std::ranges::any_of(bars_, [](const SizeRow* row) {
      return std::abs(row->parts.back()) >= 1;
    });
    const size_t count = sizes_.functions.size();
    for (size_t i = 0; i < count + (has_others ? 1 : 0); ++i)
      AppendFormat(out_,
                   "<li><span class=\"sample {}\"></span> "
                   "<span{}>{}</span></li>\n",
                   ClassOf(i), i < count ? " data-kind=\"function\"" : "",
                   XmlEscaped(NameOf(i)));
    out_ += "</ul>\n";
  }

  void WriteCaption() {
    out_ += "<figcaption class=\"hint\">";
    out_ += is_comparison_
                ? "How much more or less objects of each size hold, as "
                : "What objects of each size hold, as ";
    out_ +=
        "jemalloc rounds sizes up, by the function that is charged: your "
        "innermost one on the stack, else the one that allocates";
    if (const std::string text = MeanSizesText(sizes_); !text.empty())
      AppendFormat(out_,
                   "; {}: a stack that allocates objects of several sizes "
                   "counts under their mean",
                   text);
    out_ += ".</figcaption>\n";
  }

  const SizeTable& sizes_;
  const bool is_comparison_;
  const Unit unit_;
  std::vector<const SizeRow*> bars_;
  std::vector<uint64_t> slots_;
  double largest_ = 0, smallest_ = 0;
  std::string out_;
};

}  // namespace

std::string SizeHistogramHtml(const SizeTable& sizes, bool is_comparison,
                              Unit unit) {
  return Histogram(sizes, is_comparison, unit).Write();
}

}  // namespace heapprof
