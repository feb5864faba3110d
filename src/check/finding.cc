// SPDX-License-Identifier: Apache-2.0
#include "heapprof/check/finding.h"

#include <cstddef>

namespace heapprof {

Severity SeverityOf(FindingKind kind) {
  switch (kind) {
    case FindingKind::kNoSamplingPeriod:
    case FindingKind::kIsComparison:
    case FindingKind::kNoValues:
    case FindingKind::kNextToNothing:
    case FindingKind::kTooManyRuns:
    case FindingKind::kDifferentPeriods:
    case FindingKind::kReset:
    case FindingKind::kDamage:
    case FindingKind::kDifferentPrograms:
    case FindingKind::kUnusedBinary:
    case FindingKind::kUnreadableBinary:
    case FindingKind::kNothingLeft:
    case FindingKind::kNoOwnCode:
      return Severity::kNotJudged;
    case FindingKind::kFewNames:
    case FindingKind::kFewMatchable:
      return Severity::kFewSymbols;
    case FindingKind::kTotal:
    case FindingKind::kEntry:
    case FindingKind::kExpiredIgnore:
      return Severity::kVerdict;
  }
  return Severity::kNotJudged;
}

std::string_view VerdictName(Verdict verdict) {
  constexpr std::string_view kNames[] = {"ok", "inconclusive", "regression"};
  return kNames[static_cast<size_t>(verdict)];
}

int StatusOf(const GateFinding& finding) {
  return SeverityOf(finding.kind) == Severity::kFewSymbols ? kExitFewSymbols
                                                           : kExitCheckFailed;
}

int StatusOf(Verdict verdict, const std::optional<Verdict>& fails_from) {
  return fails_from && verdict >= *fails_from ? kExitFinding : 0;
}

}  // namespace heapprof
