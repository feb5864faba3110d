// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include "heapprof/base/append_format.h"
#include "heapprof/base/printable.h"
#include "heapprof/base/system_source.h"
#include "heapprof/report/check.h"
#include "report/check_rows.h"
#include "report/valid_utf8.h"

namespace heapprof {
namespace {

// For each step of a job, GitHub shows at most ten errors and ten warnings.
constexpr size_t kMostAnnotations = 10;

// Escapes `text` for a GitHub command: each character of `specials` is written
// as "%" and its code in hexadecimal.
std::string Escaped(std::string_view text, std::string_view specials) {
  std::string escaped;
  for (const char c : ValidUtf8(Printable(text)))
    if (specials.contains(c))
      AppendFormat(escaped, "%{:02X}", static_cast<unsigned char>(c));
    else
      escaped += c;
  return escaped;
}

std::string Message(std::string_view text) { return Escaped(text, "%"); }
std::string Property(std::string_view text) { return Escaped(text, "%:,"); }

void AppendAnnotation(const CheckReport& report, const CheckFinding& finding,
                      std::string& out) {
  const CheckRow row = MakeCheckRow(report, finding);
  const bool fails = report.Fails(finding);
  out += fails ? "::error " : "::warning ";
  if (finding.entry) {
    const ComparisonEntry& entry = report.SubjectOf(finding);
    // A code review of the program shows none of the system's files.
    if (!entry.file.empty() && !IsSystemSource(entry.file)) {
      AppendFormat(out, "file={},",
                   Property(InRepository(entry.file, report.source_root)));
      if (entry.line != 0) AppendFormat(out, "line={},", entry.line);
    }
  }
  AppendFormat(out, "title={}::", Property("Heap check: " + row.verdict));
  if (finding.kind == FindingKind::kExpiredIgnore)
    AppendFormat(out, "{} {}\n", Message(row.name), Message(row.note));
  else
    AppendFormat(out, "{}: {} ({})\n", Message(row.name), GrowthSentence(row),
                 Message(row.note));
}

}  // namespace

std::string WriteCheckGithub(const CheckReport& report) {
  std::string out;
  size_t errors = 0;
  size_t warnings = 0;
  for (const auto* findings : {&report.result.totals, &report.result.findings})
    for (const CheckFinding& finding : *findings) {
      if (finding.verdict == Verdict::kOk) continue;
      size_t& count = report.Fails(finding) ? errors : warnings;
      if (count++ < kMostAnnotations) AppendAnnotation(report, finding, out);
    }
  if (const std::string power = PowerSentence(report); !power.empty())
    AppendFormat(out, "::notice title=Heap check::{}\n", Message(power));
  return out + WriteCheckMarkdown(report);
}

std::string WriteCheckErrorGithub(std::string_view error) {
  return "::error title=Heap check::" + Message(error) + '\n' +
         WriteCheckErrorMarkdown(error);
}

}  // namespace heapprof
