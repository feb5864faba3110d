// SPDX-License-Identifier: Apache-2.0
#include <cctype>
#include <vector>

#include <fmt/format.h>

#include "heapprof/base/append_format.h"
#include "heapprof/base/printable.h"
#include "heapprof/base/text_columns.h"
#include "heapprof/report/check.h"
#include "heapprof/view/metric_words.h"
#include "report/check_rows.h"
#include "report/story_text.h"
#include "report/valid_utf8.h"

namespace heapprof {
namespace {

constexpr size_t kMostBytes = 60'000;
// In bytes. This much is kept free for the table of ignored findings, and as
// much again for the text below the tables.
constexpr size_t kReserve = 4'000;

// Escapes `text` so that markdown shows it as it is. Punctuation that could
// have a meaning becomes an entity ("&#42;"), and so do "/" and the "." of
// "www.", because GitHub makes links of addresses. Names must also be put into
// <code>: elsewhere, "@name" would notify a user.
std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : ValidUtf8(Printable(text))) {
    const auto byte = static_cast<unsigned char>(c);
    const bool starts_link = c == '.' && escaped.ends_with("www");
    const bool is_plain =
        byte >= 0x80 || std::isalnum(byte) != 0 ||
        (std::string_view(" ,.;:+-%=()").contains(c) && !starts_link);
    if (is_plain)
      escaped += c;
    else
      AppendFormat(escaped, "&#{};", int{byte});
  }
  return escaped;
}

// Shortens long text, then escapes it. Invalid UTF-8 is replaced first, because
// the width of text in columns is defined only for valid UTF-8.
std::string EscapedShort(std::string_view text) {
  return Escaped(Shortened(ValidUtf8(text), kLongestName));
}

std::string ShortCode(std::string_view text) {
  return "<code>" + EscapedShort(text) + "</code>";
}

std::string RowText(const CheckRow& row) {
  std::string name = row.is_total ? "**total**" : ShortCode(row.name);
  if (!row.note.empty()) name += " (" + EscapedShort(row.note) + ")";
  if (!row.path.empty()) AppendFormat(name, "<br>via {}", ShortCode(row.path));
  return fmt::format("| {} | {} | {} | {} | {} | {} |\n", row.verdict, name,
                     row.before, row.after, row.change, row.allowed);
}

// Appends rows until `out` would exceed `most_bytes`, then one row that says
// how many are left out.
void AppendFindings(const CheckReport& report,
                    const std::vector<CheckFinding>& findings,
                    size_t most_bytes, std::string& out) {
  size_t left_out = 0;
  for (const CheckFinding& finding : findings) {
    const std::string row = RowText(MakeCheckRow(report, finding));
    if (left_out > 0 || out.size() + row.size() > most_bytes)
      ++left_out;
    else
      out += row;
  }
  if (left_out > 0)
    AppendFormat(out, "| | … and {} more | | | | |\n", left_out);
}

void AppendChains(const CheckReport& report, std::string& out) {
  const Unit unit = UnitOf(report.comparison.metric);
  for (const StoryChain& chain : report.story)
    AppendFormat(out, "* **{}** {}{}\n",
                 Escaped(StoryAmount(chain, /*is_comparison=*/true, unit)),
                 BeforeChain(chain),
                 ShortCode(ChainText(chain, 0, kLongestName)));
  if (!report.story.empty()) out += '\n';
}

constexpr std::string_view kHeading =
    "| verdict | | before | after | change | allowed |\n"
    "|---|---|--:|--:|--:|--:|\n";

}  // namespace

std::string WriteCheckMarkdown(const CheckReport& report) {
  const CheckResult& result = report.result;
  std::string out;
  AppendFormat(out, "### Heap check: {}\n\n{}\n\n", VerdictName(result.verdict),
               Escaped(VerdictSentence(report)));
  if (const std::string power = PowerSentence(report); !power.empty())
    AppendFormat(out, "{}\n\n", Escaped(power));
  AppendChains(report, out);
  out += kHeading;
  if (result.totals.empty()) out += RowText(MakeTotalRow(report));
  for (const CheckFinding& finding : result.totals)
    out += RowText(MakeCheckRow(report, finding));
  AppendFindings(report, result.findings, kMostBytes - kReserve - kReserve,
                 out);
  if (!result.ignored.empty()) {
    out += "\n<details><summary>Ignored</summary>\n\n";
    out += kHeading;
    AppendFindings(report, result.ignored, kMostBytes - kReserve, out);
    out += "\n</details>\n";
  }
  out += '\n';
  for (const auto& [name, side] :
       {std::pair("base", Side::kBase), std::pair("new", Side::kNew)})
    AppendFormat(out, "* {}: {}\n", name,
                 EscapedShort(SideSentence(report, side)));
  AppendFormat(out, "* {}\n", Escaped(MethodSentence(report)));
  for (const std::string& sentence : DetectableSentences(report))
    AppendFormat(out, "* {}\n", Escaped(sentence));
  return out;
}

std::string WriteCheckErrorMarkdown(std::string_view error) {
  return fmt::format("### Heap check: not judged\n\n{}\n", Escaped(error));
}

}  // namespace heapprof
