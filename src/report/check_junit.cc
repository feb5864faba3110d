// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <string_view>

#include "heapprof/base/append_format.h"
#include "heapprof/report/check.h"
#include "report/check_rows.h"
#include "report/xml_escaped.h"

namespace heapprof {
namespace {

struct Cases {
  size_t count = 0;
  size_t failures = 0;
  size_t errors = 0;
  size_t skipped = 0;
  std::string xml = {};
};

std::string MessageOf(const CheckRow& row) {
  if (row.after.empty()) return row.note;
  std::string message = GrowthSentence(row);
  if (!row.note.empty()) message += ", " + row.note;
  if (!row.path.empty()) message += ", via " + row.path;
  return message;
}

// Appends the test case of a finding. A finding that is not OK but does not
// make the check fail, such as an inconclusive one, counts as a skipped test.
void AppendCase(const CheckReport& report, const CheckFinding& finding,
                bool is_ignored, Cases& cases) {
  const CheckRow row = MakeCheckRow(report, finding);
  const bool fails = !is_ignored && report.Fails(finding);
  ++cases.count;
  AppendFormat(cases.xml,
               "    <testcase classname=\"heapprof.check.{}\" name=\"{}\" "
               "time=\"0\"",
               XmlEscaped(finding.rule), XmlEscaped(row.name));
  if (finding.verdict == Verdict::kOk) {
    cases.xml += "/>\n";
    return;
  }
  ++(fails ? cases.failures : cases.skipped);
  const std::string_view element = fails ? "failure" : "skipped";
  // GitLab shows the text, Jenkins the message.
  const std::string message = XmlEscaped(MessageOf(row));
  AppendFormat(cases.xml,
               ">\n      <{0} type=\"{1}\" message=\"{2}\">{2}</{0}>\n",
               element, row.verdict, message);
  cases.xml += "    </testcase>\n";
}

std::string WithSuite(const Cases& cases) {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites>\n"
      "  <testsuite name=\"heapprof check\" tests=\"{}\" failures=\"{}\" "
      "errors=\"{}\" skipped=\"{}\" time=\"0\">\n{}  </testsuite>\n"
      "</testsuites>\n",
      cases.count, cases.failures, cases.errors, cases.skipped, cases.xml);
}

}  // namespace

std::string WriteCheckJunit(const CheckReport& report) {
  const CheckResult& result = report.result;
  Cases cases;
  for (const auto* findings : {&result.totals, &result.findings})
    for (const CheckFinding& finding : *findings)
      AppendCase(report, finding, false, cases);
  for (const CheckFinding& finding : result.ignored)
    AppendCase(report, finding, true, cases);
  if (result.tested + result.untested > 0) {
    ++cases.count;
    AppendFormat(cases.xml,
                 "    <testcase classname=\"heapprof.check\" name=\"all other "
                 "{}s\" time=\"0\"/>\n",
                 CompareByName(report.comparison.by));
  }
  return WithSuite(cases);
}

std::string WriteCheckErrorJunit(std::string_view error) {
  const std::string message = XmlEscaped(error);
  return WithSuite(
      {.count = 1,
       .errors = 1,
       .xml = fmt::format("    <testcase classname=\"heapprof.check\" "
                          "name=\"verdict\" time=\"0\">\n"
                          "      <error type=\"not judged\" "
                          "message=\"{0}\">{0}</error>\n"
                          "    </testcase>\n",
                          message)});
}

}  // namespace heapprof
