// SPDX-License-Identifier: Apache-2.0
//
// Writes the result of `heapprof check` in several formats. The check tests
// whether the memory in dumps, and its growth, exceed limits.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/sides.h"
#include "heapprof/check/budgets.h"
#include "heapprof/check/detectable.h"
#include "heapprof/check/judge.h"
#include "heapprof/report/compared_dump.h"
#include "heapprof/view/comparison.h"
#include "heapprof/view/story.h"

namespace heapprof {

inline constexpr int kCheckSchemaVersion = 1;

struct CheckReport {
  const Comparison& comparison;
  const Budgets& budgets;
  const CheckResult& result;
  Sides<std::vector<ComparedDump>> dumps = {};
  // Absolute path of the folder with the sources of the program. Reports for
  // people name files in this folder by paths relative to it.
  std::string source_root = {};
  // The parts of the heap that grew; empty unless there is a regression.
  std::vector<StoryChain> story = {};
  // How small a growth the dumps can prove.
  std::vector<Detectable> detectable = {};
  bool explains = false;  // reports for people say all of it (--explain)
  // Only for WriteCheckText(): the size of the terminal in characters (0 = no
  // limit), and whether to use colours.
  size_t width = 0;
  size_t height = 0;
  bool color = false;

  bool HasBase() const { return !dumps.base.empty(); }
  // Returns what the finding is about: an entry, or the total.
  const ComparisonEntry& SubjectOf(const CheckFinding& finding) const {
    return finding.entry ? comparison.entries[*finding.entry]
                         : comparison.total;
  }
  // Returns true if the finding makes the check fail.
  bool Fails(const CheckFinding& finding) const {
    const std::optional<Verdict> from = budgets.settings.FailsFrom();
    return from && finding.verdict >= *from;
  }
};

// Returns, for example, "regression: the total and 2 functions over the limit".
std::string CheckHeadline(const CheckReport& report);

// Writes text for people: the verdict, both sides, and a table of findings, as
// many as fit on the terminal. Very long names are shortened.
std::string WriteCheckText(const CheckReport& report);

// Writes JSON whose schema is in proto/heapprof.schema.json.
std::string WriteCheckJson(const CheckReport& report);

// Writes markdown for a comment on a pull request. It has at most 60 KB,
// however many findings there are and however long their names.
std::string WriteCheckMarkdown(const CheckReport& report);

// Writes commands for GitHub Actions that annotate source lines with findings,
// then the text of WriteCheckMarkdown().
std::string WriteCheckGithub(const CheckReport& report);

// Writes JUnit's XML. Each limit of the total is a test case, and so is each
// finding about anything else, such as a function. One more test case stands
// for everything without a finding.
std::string WriteCheckJunit(const CheckReport& report);

// Write that nothing could be judged, and why: in place of a report, which
// would otherwise be missing, or be that of an earlier run.
std::string WriteCheckErrorText(std::string_view error);
std::string WriteCheckErrorJson(std::string_view error);
std::string WriteCheckErrorMarkdown(std::string_view error);
std::string WriteCheckErrorGithub(std::string_view error);
std::string WriteCheckErrorJunit(std::string_view error);

struct CheckFormat {
  std::string_view name;  // the value of --format that selects it
  std::string (*write)(const CheckReport& report);
  std::string (*write_error)(std::string_view error);
};

// Returns all formats, in the order of the values of --format.
std::span<const CheckFormat> CheckFormats();

}  // namespace heapprof
