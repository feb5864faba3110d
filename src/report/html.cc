// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/html.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "heapprof/base/base_name.h"
#include "heapprof/base/byte_sink.h"
#include "heapprof/base/text_columns.h"
#include "heapprof/base/utc_time.h"
#include "heapprof/io/gzip.h"
#include "heapprof/profile/mapping_names.h"
#include "heapprof/profile/sampling_period.h"
#include "heapprof/profile/thread_name.h"
#include "heapprof/view/change.h"
#include "heapprof/view/confidence_text.h"
#include "heapprof/view/metric_words.h"
#include "heapprof/view/units.h"
#include "report/assets.h"
#include "report/base64.h"
#include "report/change_text.h"
#include "report/flame_text.h"
#include "report/html_sizes.h"
#include "report/module_details.h"
#include "report/overview_headings.h"
#include "report/shown_dumps.h"
#include "report/story_text.h"
#include "report/xml_escaped.h"

namespace heapprof {
namespace {

constexpr size_t kRowsOfOverview = 10;
constexpr size_t kMostGroups = 100;
constexpr size_t kRowsOfTable = 40;

struct Heading {
  std::string_view text;
  bool is_number = true;
  // What the cells name: the scripts make links of them. Empty: nothing.
  std::string_view kind = {};
  // Narrow screens have no room for it.
  bool is_optional = false;
};

// Writes an element with what `write` writes, compressed and in Base64. None of
// the sinks can fail before `out`, which keeps its error.
void WritePacked(std::string_view id, bool may_start_thread,
                 const std::function<void(ByteSink&)>& write, ByteSink& out) {
  out.Format("<script id=\"{}\" type=\"application/octet-stream\">", id);
  Base64Stream base64(out);
  ByteSink compressed([&base64](std::string_view block) {
    base64.Append(block);
    return Result<void>();
  });
  GzipStream gzip(compressed, may_start_thread);
  ByteSink packed([&gzip](std::string_view block) {
    gzip.Append(block);
    return Result<void>();
  });
  write(packed);
  static_cast<void>(packed.Finish());
  gzip.Finish();
  static_cast<void>(compressed.Finish());
  base64.Finish();
  out.Append("</script>\n");
}

struct Cell {
  Cell(std::string cell_text, std::string_view cell_tone = {})
      : text(std::move(cell_text)), tone(cell_tone) {}

  std::string text;
  std::string_view tone;  // class of the style sheet; may be empty
};

using Row = std::vector<Cell>;

class PageWriter {
 public:
  PageWriter(const HtmlReport& report, bool may_start_thread, ByteSink& out)
      : report_(report),
        graph_(report.graphs[report.column]),
        unit_(UnitOf(graph_.metric)),
        may_start_thread_(may_start_thread),
        out_(out) {}

  void Write() {
    WriteHead();
    WriteOverview();
    WriteFunctions();
    WriteScripts();
  }

 private:
  void WriteHead() {
    const EmbeddedFile& style = Asset("html.css");
    const std::string title = XmlEscaped(report_.title);
    out_.Format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
        "<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
        "'none'; base-uri 'none'; form-action 'none'; script-src "
        "'sha256-{}' 'strict-dynamic'; style-src 'sha256-{}'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, "
        "initial-scale=1\">\n"
        "<meta name=\"generator\" content=\"heapprof {}\">\n"
        "<title>{} - heapprof</title>\n<style>{}</style>\n</head>\n<body>\n"
        "<header>\n<h1>{}</h1>\n<p id=\"total\">{}</p>\n</header>\n<main>\n",
        Asset("unpack.js").sha256, style.sha256, report_.version, title,
        style.text, title, XmlEscaped(TotalText()));
  }

  std::string TotalText() const {
    return FlameText(graph_, Side::kNew, unit_).Total() + DumpsText();
  }

  std::string DumpsText() const {
    if (report_.dumps.empty()) return "";
    return (report_.latest == 0 ? ", " : " in ") +
           ShownDumps(report_.dumps.size(), report_.latest, report_.at_end);
  }

  void WriteOverview() {
    out_.Append("<section id=\"overview\">\n<h2>Overview</h2>\n");
    WriteStory();
    WriteFacts();
    WriteHolders();
    WriteGroups();
    out_.Append(
        SizeHistogramHtml(report_.sizes, report_.tree.is_comparison, unit_));
    WriteModules();
    WriteThreads();
    WriteNameless();
    out_.Append("</section>\n");
  }

  void WriteStory() {
    const std::vector<StoryChain>& story = report_.overview.story;
    if (story.empty()) return;
    const std::vector<std::string> amounts =
        StoryAmounts(story, report_.tree.is_comparison, unit_);
    out_.Append("<ol class=\"story\">\n");
    for (size_t i = 0; i < story.size(); ++i) {
      const size_t blanks = amounts[i].find_first_not_of(' ');
      out_.Append("<li><b>");
      // As wide as digits.
      for (size_t k = 0; k < blanks; ++k) out_.Append("&#8199;");
      out_.Format("{}</b> {}{}</li>\n", XmlEscaped(amounts[i].substr(blanks)),
                  BeforeChain(story[i]),
                  XmlEscaped(ChainText(story[i], 0, kLongestChainOnPage)));
    }
    out_.Append("</ol>\n");
  }

  void WriteFacts() {
    const Overview& overview = report_.overview;
    out_.Append("<dl>\n");
    Fact("Program", overview.program);
    if (overview.time_seconds != 0)
      Fact("Written", UtcTime(overview.time_seconds));
    for (const FlameGraph& graph : report_.graphs) Fact(graph);
    Fact("Sampling", SamplingText());
    Fact("Filters", FiltersText());
    Fact("Contains code of",
         fmt::format("{}", fmt::join(report_.source_files, ", ")));
    for (const std::string& warning : report_.warnings)
      Fact("Warning", warning);
    out_.Append("</dl>\n");
  }

  std::string FiltersText() const {
    std::string text = fmt::format("{}", fmt::join(report_.filters, ", "));
    const Overview& overview = report_.overview;
    const auto add = [&text](std::string_view left, std::string_view whole) {
      text += fmt::format("{}They leave {} of {}.", text.empty() ? "" : ". ",
                          left, whole);
    };
    const auto [now, base] = graph_.filtered_out;
    if (report_.tree.is_comparison && (now != 0 || base != 0))
      add(SidesText({}), SidesText(graph_.filtered_out));
    else if (!report_.tree.is_comparison && overview.shown != overview.total)
      add(FormatAmount(overview.shown, unit_),
          FormatAmount(overview.total, unit_));
    return text;
  }

  // Returns the totals of both sides, together with what filters removed.
  std::string SidesText(const Sides<double>& removed) const {
    const auto& [now, base] = graph_.frames.front().total;
    return fmt::format(
        "{} → {}",
        FormatAmount(static_cast<double>(base) + removed.base, unit_),
        FormatAmount(static_cast<double>(now) + removed.now, unit_));
  }

  void Fact(std::string_view name, std::string_view text) {
    if (!text.empty())
      out_.Format("<dt>{}</dt><dd>{}</dd>\n", XmlEscaped(name),
                  XmlEscaped(text));
  }

  void Fact(const FlameGraph& graph) {
    const Unit unit = UnitOf(graph.metric);
    std::string name(MetricWords(graph.metric));
    name.front() = static_cast<char>(name.front() - 'a' + 'A');
    Fact(name, FlameText(graph, Side::kNew, unit).Amount(graph.frames.front()));
  }

  std::string SamplingText() const {
    const uint64_t period = report_.overview.sampling_period;
    if (period == 0)
      return "The file does not say how often allocations were sampled, so "
             "errors are not known.";
    if (report_.overview.is_exact)
      return "Every allocation was sampled: the numbers are exact.";
    const std::string source =
        SamplesEverything(period)
            ? "Every allocation was sampled, but runs differ"
            : fmt::format(
                  "One sample per {} allocated. The numbers are "
                  "estimates",
                  FormatSize(period));
    return fmt::format(
        "{}: with {} probability, the true value is within the error after "
        "\"±\" or in the range in brackets.",
        source, ConfidenceText());
  }

  void WriteGroups() {
    WriteHolders(report_.tree.is_comparison ? "Groups, by change" : "Groups",
                 report_.overview.groups, "group");
  }

  void WriteHolders() {
    const Overview& overview = report_.overview;
    const bool has_own = !overview.own.rows.empty();
    const std::string_view order =
        report_.tree.is_comparison ? ", by change" : "";
    WriteHolders(
        fmt::format("{}{}", has_own ? kOwnHeading : kCumulativeHeading, order),
        has_own ? overview.own : overview.cumulative);
    WriteHolders(fmt::format("{}{}", kAllocatingHeading, order),
                 overview.allocating);
  }

  void WriteHolders(std::string_view caption, const OverviewTable& table,
                    std::string_view kind = "function") {
    std::vector<Row> rows;
    const bool has_sizes = KnowsObjectSizes(table);
    // The few groups are all shown.
    const bool leaves_out = report_.tree.is_comparison && kind != "group";
    const size_t changed = CountChanged(table);
    const size_t count =
        std::min(leaves_out ? changed : table.rows.size(),
                 kind == "group" ? kMostGroups : kRowsOfOverview);
    for (const OverviewRow& row : std::span(table.rows).first(count))
      rows.push_back(HolderCells(row, has_sizes));
    if (leaves_out && count == changed && count < table.rows.size())
      rows.push_back(
          Row{std::string(), std::string(), std::string(),
              std::string(changed == 0 ? kAllUnchanged : kOthersUnchanged)});
    if (table.unassigned.value() != 0)
      rows.push_back(HolderCells(table.unassigned, has_sizes));
    std::vector<Heading> headings = {{"Amount"}, {"Share"}};
    if (report_.tree.is_comparison)
      headings = {
          {.text = "Before", .is_optional = true}, {"After"}, {"Change"}};
    if (has_sizes)
      headings.push_back({.text = "Mean size", .is_optional = true});
    headings.push_back({kind == "group" ? "Group" : "Function",
                        /*is_number=*/false, kind});
    WriteTable("", caption, headings, rows);
  }

  // A share of the change of the total means nothing: changes of functions may
  // cancel out.
  Row HolderCells(const OverviewRow& row, bool has_sizes) const {
    if (!report_.tree.is_comparison) {
      Row cells = {FormatCell(row.value(), unit_), FormatShare(row.percent)};
      if (has_sizes) {
        const std::optional<double> size = MeanObjectSize(row);
        cells.push_back(size ? FormatCell(*size, Unit::kMegabytes) : "");
      }
      cells.push_back(row.name);
      return cells;
    }
    Row cells = CellsOf(row.cell);
    cells.back().tone = ToneOf(row.cell.change, row.has_changed);
    cells.push_back(row.name);
    return cells;
  }

  // The error of a number of objects is not known.
  std::string_view ToneOf(const Change& change, bool has_changed) const {
    const double difference = Difference(change);
    if (graph_.exactness == Exactness::kObjectCount || !has_changed ||
        difference == 0)
      return "";
    return difference > 0 ? "grown" : "shrunk";
  }

  void WriteModules() {
    std::vector<Row> rows;
    std::vector<const ModuleRow*> modules;
    for (const ModuleRow& row : report_.coverage->rows) modules.push_back(&row);
    std::ranges::stable_sort(modules, std::ranges::greater(),
                             &ModuleRow::percent);
    modules.resize(std::min(modules.size(), kRowsOfOverview));
    for (const ModuleRow* row : modules)
      rows.push_back({FormatShare(row->percent),
                      std::string(StatusName(row->status)),
                      row->path.empty() ? std::string(kNoMapping) : row->path});
    WriteTable("", "Modules",
               {{"Share"}, {"Names", false}, {"Module", false, "module"}},
               rows);
  }

  void WriteThreads() {
    if (report_.tree.is_comparison) return WriteThreadChanges();
    if (report_.threads.empty()) return;
    std::vector<const ThreadRow*> threads;
    for (const ThreadRow& row : report_.threads) threads.push_back(&row);
    std::ranges::stable_sort(
        threads, std::ranges::greater(),
        [](const ThreadRow* row) { return std::abs(Difference(row->sum)); });
    threads.resize(std::min(threads.size(), kRowsOfOverview));
    std::vector<Row> rows;
    for (const ThreadRow* row : threads)
      rows.push_back({FormatCell(WholeChange(row->sum), unit_),
                      ThreadTitle(row->uid, row->name), row->top_function});
    WriteTable("",
               fmt::format("The threads that allocated the most (of {})",
                           report_.threads.size()),
               {{"Amount"},
                {"Thread", false, "thread"},
                {"Mostly in", false, "function"}},
               rows);
  }

  void WriteThreadChanges() {
    const auto& threads = report_.thread_changes;
    std::vector<Row> rows;
    for (const HtmlThreadChange& thread :
         std::span(threads).first(std::min(threads.size(), kRowsOfOverview))) {
      const MetricCell& cell = thread.cells[report_.column];
      Row row = CellsOf(cell);
      row.back().tone = ToneOf(
          cell.change,
          !report_.errors[report_.column].level_of_changes || cell.has_changed);
      // Threads of several numbers may have one name.
      row.push_back(ThreadName(thread.uid, thread.name));
      row.push_back(thread.top_function);
      rows.push_back(std::move(row));
    }
    WriteTable("",
               fmt::format("The threads whose memory changed the most (of {})",
                           threads.size()),
               {{.text = "Before", .is_optional = true},
                {"After"},
                {"Change"},
                {"Thread", false},
                {"Mostly in", false, "function"}},
               rows);
  }

  // Says which memory has no names, and what to do.
  void WriteNameless() {
    const ModuleTable& modules = *report_.coverage;
    constexpr double kLeast = 0.05;  // of a module; many may lack names
    if (modules.nameless_percent < kNotablePercent) return;
    out_.Format(
        "<h3>Memory without names</h3>\n<p>{} of the memory is in functions "
        "whose names are unknown.</p>\n<ul>\n",
        FormatShare(modules.nameless_percent));
    for (const ModuleRow& row : modules.rows) {
      if (row.nameless_percent < kLeast) continue;
      const std::string title =
          row.path.empty() ? ModuleTitle(row) : std::string(BaseName(row.path));
      out_.Format("<li>{}: {}, {}", XmlEscaped(title),
                  FormatShare(row.nameless_percent), StatusName(row.status));
      if (!row.info.reason.empty())
        out_.Format(": {}", XmlEscaped(row.info.reason));
      WriteSuggestions(row.info.suggestions);
      out_.Append("</li>\n");
    }
    out_.Append("</ul>\n");
  }

  void WriteSuggestions(const std::vector<Suggestion>& suggestions) {
    if (suggestions.empty()) return;
    out_.Append("\n<ul>\n");
    for (const Suggestion& suggestion : suggestions) {
      out_.Format("<li>{}", XmlEscaped(suggestion.text));
      if (const std::string command = suggestion.FullCommand();
          !command.empty())
        out_.Format("<br><code>{}</code>", XmlEscaped(command));
      out_.Append("</li>\n");
    }
    out_.Append("</ul>\n");
  }

  // Writes the largest functions: by change in a comparison, else by what they
  // hold together with what they call.
  void WriteFunctions() {
    const MetricTable& table = report_.functions;
    const MetricColumn& column = table.columns[report_.column];
    const std::vector<size_t> numbers = LargestRows(column, kRowsOfTable);
    std::vector<Row> rows;
    for (const size_t i : numbers) {
      Row row = CellsOf(column.self[i]);
      std::ranges::move(CellsOf(column.total[i]), std::back_inserter(row));
      row.push_back(table.NameOf(table.rows[i]));
      rows.push_back(std::move(row));
    }
    out_.Append("<section id=\"top\">\n<h2>Functions</h2>\n");
    const bool has_all = numbers.size() == table.rows.size();
    WriteTable(
        "functions",
        fmt::format("{}{} by {}. Self: allocated by the function itself. "
                    "Total: also by what it calls.",
                    has_all ? "Functions" : "The largest ",
                    has_all ? ""
                            : fmt::format("{} of {} functions", numbers.size(),
                                          table.rows.size()),
                    MetricWords(column.metric)),
        report_.tree.is_comparison ? std::vector<Heading>{{"Self before"},
                                                          {"after"},
                                                          {"change"},
                                                          {"Total before"},
                                                          {"after"},
                                                          {"change"},
                                                          {"Function", false}}
                                   : std::vector<Heading>{{"Self"},
                                                          {"Share"},
                                                          {"Total"},
                                                          {"Share"},
                                                          {"Function", false}},
        rows);
    out_.Append("</section>\n</main>\n");
  }

  Row CellsOf(const MetricCell& cell) const {
    const double value = WholeChange(cell.change);
    if (report_.tree.is_comparison)
      return {FormatCell(cell.change.base.value, unit_),
              FormatCell(cell.change.now.value, unit_),
              ChangeText(value, cell.interval, unit_)};
    const double all = static_cast<double>(graph_.frames.front().total.now);
    if (value == 0) return {std::string(), std::string()};
    return {FormatWithInterval(value, cell.interval, unit_),
            FormatShare(Percent(value, all))};
  }

  void WriteTable(std::string_view id, std::string_view caption,
                  const std::vector<Heading>& headings,
                  const std::vector<Row>& rows) {
    if (rows.empty()) return;
    out_.Append(id.empty() ? "<table>" : fmt::format("<table id=\"{}\">", id));
    out_.Format("<caption>{}</caption>\n<thead><tr>", XmlEscaped(caption));
    for (const Heading& heading : headings)
      out_.Format("<th scope=\"col\"{}>{}</th>",
                  heading.is_number ? NumberClass(heading, "") : "",
                  heading.text);
    out_.Append("</tr></thead>\n<tbody>\n");
    for (const Row& row : rows) {
      out_.Append("<tr>");
      for (size_t i = 0; i < row.size(); ++i)
        out_.Format("<td{}>{}</td>", Attributes(headings[i], row[i]),
                    XmlEscaped(Shortened(row[i].text, kLongestPageText)));
      out_.Append("</tr>\n");
    }
    out_.Append("</tbody>\n</table>\n");
  }

  static std::string Attributes(const Heading& heading, const Cell& cell) {
    if (heading.is_number) return NumberClass(heading, cell.tone);
    return heading.kind.empty()
               ? ""
               : fmt::format(" data-kind=\"{}\"", heading.kind);
  }

  static std::string NumberClass(const Heading& heading,
                                 std::string_view tone) {
    return fmt::format(" class=\"number{}{}{}\"",
                       heading.is_optional ? " optional" : "",
                       tone.empty() ? "" : " ", tone);
  }

  // The first script, which the policy names, unpacks the second one, and this
  // one the data.
  void WriteScripts() {
    out_.Append(
        "<noscript><p>The flame graph and the other views need JavaScript. "
        "This file contains all of it, and loads nothing.</p></noscript>\n");
    WritePacked(
        "data", may_start_thread_,
        [this](ByteSink& data) { WriteHtmlData(report_, data); }, out_);
    WritePacked(
        "program", may_start_thread_,
        [](ByteSink& script) { script.Append(Asset("html.js").text); }, out_);
    out_.Format("<script>{}</script>\n</body>\n</html>\n",
                Asset("unpack.js").text);
  }

  const HtmlReport& report_;
  const FlameGraph& graph_;
  const Unit unit_;
  const bool may_start_thread_;
  ByteSink& out_;
};

}  // namespace

void WriteHtml(const HtmlReport& report, bool may_start_thread, ByteSink& out) {
  PageWriter(report, may_start_thread, out).Write();
}

}  // namespace heapprof
