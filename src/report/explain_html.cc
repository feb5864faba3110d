// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

#include "heapprof/base/append_format.h"
#include "heapprof/base/text_columns.h"
#include "heapprof/report/explain.h"
#include "heapprof/view/units.h"
#include "report/explain_parts.h"
#include "report/plain_page.h"
#include "report/stack_lines.h"
#include "report/xml_escaped.h"

namespace heapprof {
namespace {

constexpr size_t kClassesOnPage = 20;
constexpr size_t kHoldersOnPage = 20;
// As kLongestPageText, for several names.
constexpr size_t kLongestStack = 2 * kLongestPageText;

class ExplainPage {
 public:
  ExplainPage(const Waterfall& waterfall, std::string_view version)
      : waterfall_(waterfall),
        version_(version),
        unit_(ExplainUnitFor(waterfall)) {}

  std::string Write() && {
    AddHead();
    AddLines();
    AddClasses();
    AddHolders();
    AddAdvice();
    AddRemarks();
    out_ += kPlainPageEnd;
    return std::move(out_);
  }

 private:
  std::string Of(int64_t bytes) const { return unit_.Amount(bytes); }

  void AddHead() {
    out_ += PlainPageStart(XmlEscaped(ExplainHeadline(waterfall_)),
                           "explain.css", version_);
    if (!waterfall_.subject.empty())
      AppendFormat(out_, "<p class=\"facts\">{}</p>\n",
                   XmlEscaped(Shortened(waterfall_.subject, kLongestPageText)));
    if (waterfall_.is_jemalloc_exact)
      AppendFormat(out_, "<p class=\"facts\">{}.</p>\n", kExactMappings);
  }

  // A bar as a picture, because the page allows no styles of elements.
  std::string Bar(const WaterfallLine& line) const {
    constexpr double kWidth = 200;
    const double length = kWidth * ExplainBar(waterfall_, line);
    return fmt::format(
        "<svg class=\"bar\" viewBox=\"0 0 {0} 14\" width=\"{0}\" "
        "height=\"14\" aria-hidden=\"true\"><rect width=\"{1:.1f}\" "
        "height=\"14\"/></svg>",
        kWidth, length);
  }

  void AddLines() {
    AppendFormat(out_,
                 "<section>\n<div class=\"scroll\"><table "
                 "class=\"lines\">\n<caption>The lines add "
                 "up to the total, in {}</caption>\n<thead><tr><th>line</th>{}"
                 "<th></th><th>certainty</th></tr></thead>\n<tbody>\n",
                 unit_.name,
                 waterfall_.IsComparison()
                     ? "<th class=\"number\">before</th><th "
                       "class=\"number\">after</th><th "
                       "class=\"number\">change</th>"
                     : "<th class=\"number\">amount</th><th "
                       "class=\"number\">share</th>");
    for (const WaterfallLine& line : waterfall_.lines) AddLine(line);
    AddTotal();
    out_ += "</tbody>\n</table></div>\n</section>\n";
  }

  void AddNumbers(int64_t bytes, int64_t base) {
    if (waterfall_.IsComparison())
      AppendFormat(out_,
                   "<td class=\"number\">{}</td><td class=\"number\">{}</td>"
                   "<td class=\"number\">{}</td>",
                   Of(base), Of(bytes), unit_.Change(bytes - base));
    else
      AppendFormat(out_,
                   "<td class=\"number\">{}</td><td class=\"number\">{}</td>",
                   Of(bytes), ExplainShare(waterfall_, bytes));
  }

  void AddLine(const WaterfallLine& line) {
    const std::string detail = ExplainDetail(waterfall_, line);
    AppendFormat(out_, "<tr><td>{}", LabelOf(line.kind));
    if (!detail.empty())
      AppendFormat(out_, " <span class=\"hint\">{}</span>", XmlEscaped(detail));
    out_ += "</td>";
    AddNumbers(line.bytes, line.base_bytes);
    AppendFormat(out_, "<td>{}</td><td>{}</td></tr>\n", Bar(line),
                 NameOf(line.certainty));
  }

  void AddTotal() {
    AppendFormat(out_, "<tr class=\"total\"><td>{}</td>",
                 TotalName(waterfall_));
    AddNumbers(waterfall_.total, waterfall_.base_total.value_or(0));
    out_ += "<td></td><td></td></tr>\n";
  }

  void AddClasses() {
    if (waterfall_.classes.empty()) return;
    AppendFormat(
        out_,
        "<section>\n<h2>Free regions by the size of the objects</h2>\n<div "
        "class=\"scroll\"><table class=\"lines\">\n<thead><tr><th "
        "class=\"number\">size</th>{}<th "
        "class=\"number\">in use</th><th class=\"number\">objects</th><th "
        "class=\"number\">slabs</th></tr></thead>\n<tbody>\n",
        waterfall_.IsComparison()
            ? fmt::format("<th class=\"number\">before, {0}</th><th "
                          "class=\"number\">after, {0}</th><th "
                          "class=\"number\">change, {0}</th>",
                          unit_.name)
            : fmt::format("<th class=\"number\">free, {}</th>", unit_.name));
    const size_t count = std::min(kClassesOnPage, waterfall_.classes.size());
    for (const ClassWaste& waste : std::span(waterfall_.classes).first(count))
      AddClass(waste);
    out_ += "</tbody>\n</table></div>\n";
    if (count < waterfall_.classes.size())
      AppendFormat(out_, "<p class=\"facts\">and {} more with less</p>\n",
                   waterfall_.classes.size() - count);
    out_ += "</section>\n";
  }

  void AddClass(const ClassWaste& waste) {
    const auto free = static_cast<int64_t>(waste.small.free_bytes());
    const auto before = static_cast<int64_t>(waste.base.free_bytes());
    AppendFormat(out_, "<tr><td class=\"number\">{}</td>",
                 FormatSize(waste.small.size));
    if (waterfall_.IsComparison())
      AddNumbers(free, before);
    else
      AppendFormat(out_, "<td class=\"number\">{}</td>", Of(free));
    AppendFormat(out_,
                 "<td class=\"number\">{}</td><td class=\"number\">{}</td><td "
                 "class=\"number\">{}</td></tr>\n",
                 FormatShare(100 * waste.used), waste.small.regions,
                 waste.small.slabs);
  }

  void AddHolders() {
    for (const HolderTable& table : HolderTables(waterfall_, kHoldersOnPage)) {
      AppendFormat(out_,
                   "<section>\n<h2>{}</h2>\n<div class=\"scroll\"><table "
                   "class=\"lines\">\n<thead><tr>",
                   XmlEscaped(table.title));
      for (const std::string& heading : table.headings)
        AppendFormat(out_, "<th class=\"number\">{}</th>", heading);
      out_ += "<th>stack</th></tr></thead>\n<tbody>\n";
      for (const HolderRow& row : table.rows) {
        out_ += "<tr>";
        for (const std::string& cell : row.cells)
          AppendFormat(out_, "<td class=\"number\">{}</td>", XmlEscaped(cell));
        AppendFormat(
            out_,
            "<td class=\"name\"><span class=\"frame\">{}</span></td></tr>\n",
            XmlEscaped(StackLine(row.stack, kLongestStack)));
      }
      out_ += "</tbody>\n</table></div>\n";
      if (table.more != 0)
        AppendFormat(out_, "<p class=\"facts\">and {} more</p>\n", table.more);
      out_ += "</section>\n";
    }
  }

  void AddAdvice() {
    const auto has_advice = [](const WaterfallLine& line) {
      return !line.advice.empty();
    };
    if (std::ranges::none_of(waterfall_.lines, has_advice)) return;
    out_ += "<section>\n<h2>What acts on it</h2>\n<dl>\n";
    for (const WaterfallLine& line : waterfall_.lines)
      if (has_advice(line))
        AppendFormat(out_, "<dt>{}</dt><dd>{}</dd>\n", LabelOf(line.kind),
                     XmlEscaped(line.advice));
    out_ += "</dl>\n</section>\n";
  }

  void AddRemarks() {
    if (waterfall_.remarks.empty()) return;
    out_ += "<section>\n<h2>What limits these numbers</h2>\n<ul>\n";
    for (const Remark& remark : waterfall_.remarks)
      AppendFormat(out_, "<li>{}</li>\n", XmlEscaped(remark.text));
    out_ += "</ul>\n</section>\n";
  }

  const Waterfall& waterfall_;
  const std::string_view version_;
  const ExplainUnit unit_;
  std::string out_;
};

}  // namespace

std::string WriteExplainHtml(const Waterfall& waterfall,
                             std::string_view version) {
  return ExplainPage(waterfall, version).Write();
}

}  // namespace heapprof
