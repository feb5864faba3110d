// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "heapprof/base/append_format.h"
#include "heapprof/base/text_columns.h"
#include "heapprof/report/trend.h"
#include "heapprof/view/confidence_text.h"
#include "heapprof/view/units.h"
#include "report/plain_page.h"
#include "report/story_text.h"
#include "report/trend_chart.h"
#include "report/trend_sentences.h"
#include "report/xml_escaped.h"

namespace heapprof {
namespace {

constexpr size_t kMostSections = 20;
constexpr size_t kMostRows = 100;
constexpr size_t kMostCharts = 8;

std::string NameText(std::string_view name) {
  return XmlEscaped(Shortened(name, kLongestPageText));
}

class TrendPage {
 public:
  TrendPage(const TrendReport& report, std::string_view version)
      : report_(report), version_(version) {}

  std::string Write() && {
    AddHead();
    std::vector<const TrendSeries*> others;
    for (const TrendSeries& series : report_.series)
      if (report_.series.size() == 1 ||
          (IsSuspect(series) && sections_ < kMostSections))
        AddSeries(series);
      else
        others.push_back(&series);
    if (!others.empty()) AddOthers(others);
    out_ += kPlainPageEnd;
    return std::move(out_);
  }

 private:
  void AddHead() {
    const std::string title =
        report_.series.size() == 1
            ? "Trend of " + NameText(report_.series.front().name)
            : fmt::format("Trends of {} processes", report_.series.size());
    out_ += PlainPageStart(title, "trend.css", version_);
  }

  // Of processes that do not grow, a row each is enough at first.
  void AddOthers(std::span<const TrendSeries* const> all) {
    const std::string_view other = sections_ == 0 ? "" : " other";
    std::string sentence = QuietSentence(all, other);
    if (sentence.empty())
      sentence = fmt::format("{}{} processes", all.size(), other);
    sentence.front() = static_cast<char>(std::toupper(sentence.front()));
    AppendFormat(out_, "<section>\n<h2>{}</h2>\n", sentence);
    AddProcesses(all);
    const size_t count = std::min(kMostSections - sections_, all.size());
    if (count > 0) {
      AppendFormat(out_, "<details><summary>Details of {} of them</summary>\n",
                   count == all.size() ? "all" : std::to_string(count));
      for (const TrendSeries* series : all.first(count)) AddSeries(*series);
      out_ += "</details>\n";
    }
    out_ += "</section>\n";
  }

  void AddProcesses(std::span<const TrendSeries* const> all) {
    out_ +=
        "<div class=\"scroll\"><table class=\"trend\">\n<thead><tr><th "
        "class=\"number\">rate</th><th class=\"number optional\">first</th><th "
        "class=\"number\">last</th><th class=\"optional\">course</th>"
        "<th>trend</th><th>process</th></tr></thead>\n<tbody>\n";
    for (const TrendSeries* series : all) {
      const TrendRow& total = series->table.total;
      const std::string_view course = CourseName(*series);
      AppendFormat(
          out_,
          "<tr><td class=\"number\">{}</td><td class=\"number "
          "optional\">{}</td><td class=\"number\">{}</td><td "
          "class=\"optional\">{}</td><td class=\"{}\">{}</td><td "
          "class=\"name\">{}</td></tr>\n",
          RateCell(total, total.trend.all, TrendAxisUnit(series->table.axis)),
          FormatBytes(total.first()), FormatBytes(total.last()),
          TrendSparkline(total), course, course, NameText(series->name));
    }
    out_ += "</tbody>\n</table></div>\n";
  }

  void AddSeries(const TrendSeries& series) {
    ++sections_;
    const TrendTable& table = series.table;
    AppendFormat(out_, "<section>\n<h2>{}: {}</h2>\n", NameText(series.name),
                 XmlEscaped(TrendSentence(table)));
    AddStory(series.story);
    if (series.judgement)
      AppendFormat(out_, "<p class=\"{}\">{}</p>\n",
                   VerdictName(series.judgement->verdict),
                   XmlEscaped(JudgementSentence(series, *report_.limit)));
    AppendFormat(out_, "<p class=\"facts\">{}{}{}</p>\n",
                 XmlEscaped(series.program), series.program.empty() ? "" : ", ",
                 DumpsText(table));
    AddChart(table, table.total, "Total");
    AddTable(table);
    AddCharts(table);
    out_ += "</section>\n";
  }

  void AddStory(const std::vector<StoryChain>& story) {
    if (story.empty()) return;
    out_ += "<ul>\n";
    for (const StoryChain& chain : story)
      AppendFormat(out_, "<li><b>{}</b> {}{}</li>\n",
                   StoryAmount(chain, /*is_comparison=*/true, Unit::kMegabytes),
                   BeforeChain(chain),
                   XmlEscaped(ChainText(chain, 0, kLongestChainOnPage)));
    out_ += "</ul>\n";
  }

  void AddChart(const TrendTable& table, const TrendRow& row,
                std::string_view name) {
    AppendFormat(out_,
                 "<div>\n<h4>{} <span class=\"{}\">{}</span></h4>\n{}</div>\n",
                 NameText(name), TrendLabelName(row.label),
                 CourseName(table, row), TrendChart(table, row));
  }

  // The bands of the pictures are explained once.
  void AddTable(const TrendTable& table) {
    const size_t count = std::min(kMostRows, table.rows.size());
    const size_t all = table.rows.size() + table.small;
    AppendFormat(
        out_,
        "<p class=\"facts\">Shaded, and after \"±\": where the true values are "
        "with {} probability.</p>\n"
        "<div class=\"scroll\"><table class=\"trend\">\n<caption>{}{}</caption>"
        "\n<thead><tr><th class=\"number\">{}</th>",
        ConfidenceText(),
        "What grows comes first, the surest and fastest one on top",
        count == all ? std::string()
                     : fmt::format("; {} of {} rows", count, all),
        RateHeading(table.axis));
    for (const TrendAxis axis : table.other_axes)
      AppendFormat(out_, "<th class=\"number optional\">{}</th>",
                   RateHeading(axis));
    AppendFormat(out_,
                 "<th class=\"number optional\">first</th><th "
                 "class=\"number\">last</th><th "
                 "class=\"number "
                 "optional\">peak</th><th "
                 "class=\"optional\">course</th><th>trend</th><th>{}</th>"
                 "</tr></thead>\n<tbody>\n",
                 NameText(table.heading));
    AddRow(table, table.total, "total");
    for (const TrendRow& row : std::span(table.rows).first(count))
      AddRow(table, row, "");
    out_ += "</tbody>\n</table></div>\n";
  }

  void AddRow(const TrendTable& table, const TrendRow& row,
              std::string_view row_class) {
    AppendFormat(out_, "<tr class=\"{}\"><td class=\"number\">{}</td>",
                 row_class, RateCell(row, row.trend.all));
    for (const TrendRate& rate : row.other_rates)
      AppendFormat(out_, "<td class=\"number optional\">{}</td>",
                   RateCell(row, rate.slope));
    AppendFormat(
        out_,
        "<td class=\"number optional\">{}</td><td class=\"number\">{}</td><td "
        "class=\"number optional\">{}</td><td class=\"optional\">{}</td><td "
        "class=\"{}\">{}</td><td "
        "class=\"name\"><span class=\"frame\">{}</span>{}</td></tr>\n",
        FormatBytes(row.first()), FormatBytes(row.last()),
        FormatBytes(row.peak), TrendSparkline(row), TrendLabelName(row.label),
        CourseName(table, row), NameText(row.name), PlaceText(row));
  }

  static std::string PlaceText(const TrendRow& row) {
    if (row.file.empty() || row.file == row.name) return "";
    std::string place = NameText(row.file);
    if (row.line != 0) place += fmt::format(":{}", row.line);
    return " <span class=\"hint\">" + place + "</span>";
  }

  void AddCharts(const TrendTable& table) {
    if (table.rows.empty()) return;
    out_ += "<div class=\"charts\">\n";
    for (const TrendRow& row :
         std::span(table.rows).first(std::min(kMostCharts, table.rows.size())))
      AddChart(table, row, row.name);
    out_ += "</div>\n";
  }

  const TrendReport& report_;
  const std::string_view version_;
  size_t sections_ = 0;  // of processes
  std::string out_;
};

}  // namespace

std::string WriteTrendHtml(const TrendReport& report,
                           std::string_view version) {
  return TrendPage(report, version).Write();
}

std::string WriteTrendErrorHtml(std::string_view error,
                                std::string_view version) {
  return fmt::format("{}<p>{}</p>\n{}",
                     PlainPageStart("Trend: not judged", "trend.css", version),
                     XmlEscaped(error), kPlainPageEnd);
}

}  // namespace heapprof
