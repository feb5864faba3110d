// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/dot.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "heapprof/base/append_format.h"
#include "heapprof/base/text_columns.h"
#include "heapprof/view/change.h"
#include "report/rgb.h"
#include "report/xml_escaped.h"

namespace heapprof {
namespace {

// Graphviz fails on a string of more than 16 384 bytes. A tooltip may have two
// names, so each gets half of that, with some bytes left for what is between
// them. Escaping makes a character up to five bytes long.
constexpr size_t kLongestString = 8000;
constexpr size_t kMostCharacters = 1500;

// Escapes `text` for a quoted string of Graphviz. In such a string, backslashes
// and entities such as "&lt;" have a special meaning.
std::string WithEscapes(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&') {
      escaped += "&amp;";
      continue;
    }
    if (c == '"' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// Returns `text` escaped, and shortened if it would be too long. Characters
// that XML cannot express are replaced, because Graphviz copies them into its
// SVG.
std::string DotEscaped(std::string_view text) {
  const std::string valid = XmlText(text);
  std::string escaped = WithEscapes(valid);
  return escaped.size() <= kLongestString
             ? escaped
             : WithEscapes(Shortened(valid, kMostCharacters));
}

// Longer lines are cut, because names of template instances can have thousands
// of characters.
constexpr size_t kMaxLine = 80;

void AppendLine(std::string_view line, std::string& lines) {
  if (line.empty()) return;
  const std::string_view shown = FirstColumns(line, kMaxLine);
  lines += DotEscaped(shown);
  if (shown.size() < line.size()) lines += "...";
  lines += "\\n";
}

// Breaks a function name into several lines: after scopes, blanks and
// arguments, but not inside template arguments. Other names, such as "[t3
// worker]", stay on one line.
std::string NameLines(std::string_view name) {
  std::string lines;
  if (name.starts_with('[')) {
    AppendLine(name, lines);
    return lines;
  }
  size_t start = 0;
  std::string open;  // the brackets that are still open
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '<' || c == '(') open += c;
    if ((c == '>' || c == ')') && !open.empty()) open.pop_back();
    const bool scope = open.empty() && name.substr(i).starts_with("::");
    const bool word = open.empty() && c == ' ';
    const bool argument = open == "(" && c == ' ' && name[i - 1] == ',';
    if (!scope && !word && !argument) continue;
    AppendLine(name.substr(start, i - start), lines);
    if (scope) ++i;
    start = i + 1;
  }
  AppendLine(name.substr(start), lines);
  return lines;
}

// Returns the absolute value of `part` as a fraction of `whole`, from 0 to 1.
// The fraction determines sizes and colours.
double Share(double part, double whole) {
  return whole == 0 ? 0 : std::min(1.0, std::abs(part / whole));
}

// Returns the colour of a box: white for 0, a full orange for 100 %, a full
// blue for -100 %, and a paler tone for values between them.
std::string FillColor(double value, double total) {
  constexpr Rgb kWhite = {255, 255, 255};
  constexpr double kDeepest = 0.7;
  return HexColor(Mix(kWhite, value < 0 ? kShrunkColor : kGrownColor,
                      kDeepest * std::sqrt(Share(value, total))));
}

bool IsNegative(const Change& change) { return Difference(change) < 0; }

// Returns the value that counts as 100 %. This is the total or, in a difference
// in which large increases and decreases cancel, the largest value of a
// function.
double LargestValue(const CallGraph& graph) {
  double largest = std::abs(Difference(graph.total));
  for (const GraphNode& node : graph.nodes)
    largest = std::max(largest, std::abs(Difference(node.cumulative)));
  return largest;
}

class DotWriter {
 public:
  DotWriter(const CallGraph& graph, const DotOptions& options)
      : graph_(graph), options_(options), whole_(LargestValue(graph)) {}

  std::string Write() && {
    AppendFormat(out_, "digraph \"{}; {}\" {{\n", DotEscaped(options_.title),
                 Amount(graph_.unfiltered));
    if (options_.fit_page) AppendFormat(out_, "size=\"8,11\";\n");
    AppendFormat(
        out_,
        "node [shape=box,width=0.375,height=0.25,fontname=Helvetica];\n"
        "edge [fontname=Helvetica,fontsize=12,color=\"#444444\"];\n");
    WriteLegend();
    for (size_t i = 0; i < graph_.nodes.size(); ++i)
      WriteNode(i + 1, graph_.nodes[i]);
    for (const GraphEdge& edge : graph_.edges) WriteEdge(edge);
    out_ += "}\n";
    return std::move(out_);
  }

 private:
  std::string Value(const Change& change) const {
    return FormatValue(WholeChange(change), options_.unit);
  }
  std::string Amount(const Change& change) const {
    return WithUnit(Value(change));
  }
  std::string WithUnit(std::string_view value) const {
    return fmt::format("{} {}", value, UnitName(options_.unit));
  }

  void WriteLegend() {
    AppendFormat(out_,
                 "Legend [shape=plaintext,fontsize=20,tooltip=\"{0}\","
                 "label=\"{0}\\lTotal: {1}\\l",
                 DotEscaped(options_.title), Amount(graph_.unfiltered));
    if (Difference(graph_.total) != Difference(graph_.unfiltered))
      AppendFormat(out_, "Shown: {}\\l", Amount(graph_.total));
    if (graph_.hidden_nodes != 0)
      AppendFormat(out_, "Hidden: {} with at most {} each\\l",
                   graph_.hidden_nodes,
                   WithUnit(FormatValue(graph_.largest_hidden, options_.unit)));
    const bool shrank =
        std::ranges::any_of(graph_.nodes, IsNegative, &GraphNode::cumulative) ||
        std::ranges::any_of(graph_.edges, IsNegative, &GraphEdge::sum);
    const bool has_chance =
        std::ranges::any_of(graph_.nodes, &GraphNode::may_be_chance);
    if (shrank || has_chance)
      AppendFormat(out_, "Orange grew, blue shrank{}\\l",
                   has_chance ? ", white may be chance" : "");
    // An inlined call that skips hidden functions is dotted, not dashed.
    if (std::ranges::any_of(graph_.edges, [](const GraphEdge& edge) {
          return edge.inlined && !edge.residual;
        }))
      AppendFormat(out_, "Dashed: inlined\\l");
    if (std::ranges::any_of(graph_.edges, std::identity(),
                            &GraphEdge::residual))
      AppendFormat(out_, "Dotted: across hidden ones\\l");
    AppendFormat(out_, "\"];\n");
  }

  void WriteNode(size_t id, const GraphNode& node) {
    const double flat = Difference(node.flat);
    AppendFormat(out_, "N{} [label=\"{}{} ({})", id,
                 NameLines(node.name.size() <= kLongestString / 5
                               ? node.name
                               : Shortened(node.name, kMostCharacters)),
                 Value(node.flat), FormatPercent(node.flat_percent));
    if (flat != Difference(node.cumulative))
      AppendFormat(out_, "\\rof {} ({})", Value(node.cumulative),
                   FormatPercent(node.cumulative_percent));
    constexpr double kSmallestFont = 8, kFontRange = 50;
    AppendFormat(out_, "\\r\",tooltip=\"{}\",fontsize={:.1f}{}];\n",
                 DotEscaped(node.name),
                 kSmallestFont + kFontRange * std::sqrt(Share(flat, whole_)),
                 NodeStyle(node));
  }

  std::string NodeStyle(const GraphNode& node) const {
    if (!options_.mark_leaks)
      return fmt::format(
          ",style=filled,fillcolor=\"{}\"",
          FillColor(node.may_be_chance ? 0 : Difference(node.cumulative),
                    whole_));
    const double flat = Difference(node.flat);
    if (flat > 0) return ",style=filled,fillcolor=gray";
    return flat < 0 ? ",peripheries=3" : "";
  }

  void WriteEdge(const GraphEdge& edge) {
    const double value = Difference(edge.sum);
    // As in jeprof, an edge has its full width if its value is at least a third
    // of the total. The weight makes Graphviz keep edges with large values
    // short.
    const double width =
        std::max(1.0, 2 * std::min(1.0, 3 * Share(value, whole_)));
    constexpr double kMaxWeight = 100000;
    const double weight = std::min(kMaxWeight, std::pow(std::abs(value), 0.7));
    const char* style = edge.residual  ? ",style=dotted"
                        : edge.inlined ? ",style=dashed"
                                       : "";
    AppendFormat(
        out_,
        "N{} -> N{} [label=\" {}\",weight={:.0f},penwidth={:.2f}{}{},"
        "tooltip=\"{} -> {}\"];\n",
        edge.caller + 1, edge.callee + 1, Value(edge.sum), std::trunc(weight),
        width, style,
        value < 0 ? fmt::format(",color=\"{}\"", HexColor(kShrunkColor)) : "",
        DotEscaped(graph_.nodes[edge.caller].name),
        DotEscaped(graph_.nodes[edge.callee].name));
  }

  const CallGraph& graph_;
  const DotOptions& options_;
  const double whole_;
  std::string out_;
};

}  // namespace

std::string WriteDot(const CallGraph& graph, const DotOptions& options) {
  return DotWriter(graph, options).Write();
}

}  // namespace heapprof
