// SPDX-License-Identifier: Apache-2.0
//
// What `heapprof check` can find, and the exit status that follows from it:
//
//   0  all is within the limits
//   1  a verdict is as bad as --fail-on says, and nothing else
//   3  a gate has found that the dumps cannot be judged; or another failure
//   4  a gate has found too few names of functions
//
// The gates (see gates.h) run before the verdict, and the first that finds
// something ends the check. A wrong command line has status 2, as always.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace heapprof {

inline constexpr int kExitFinding = 1;
inline constexpr int kExitCheckFailed = 3;
inline constexpr int kExitFewSymbols = 4;

// If growth is proven only from more than this many times its limit on, reports
// say that there are too few samples for the limit. More than 3 limits are then
// due to the sampling error, which is inverse to the square root of the number
// of samples: to prove growth of twice the limit, whose error may be 1 limit,
// takes more than 9 times as many.
inline constexpr double kFarAboveLimit = 4;

enum class FindingKind : uint8_t {
  // Of gates:
  kNoSamplingPeriod,  // of a dump, so nothing is known about its errors
  kIsComparison,      // an input already has two sides
  kNoValues,          // a dump has no value of the metric
  kNextToNothing,     // a dump has too few samples to show anything
  kTooManyRuns,       // for one baseline
  kDifferentPeriods,  // of the runs of one baseline
  kReset,             // between two dumps of one process
  kDamage,            // a dump was not read completely
  kDifferentPrograms,
  kUnusedBinary,  // the dumps do not use a binary on the command line
  kUnreadableBinary,
  kNothingLeft,   // by the filters
  kNoOwnCode,     // on one side
  kFewNames,      // fewer than --require-symbols demands
  kFewMatchable,  // functions of both sides cannot be matched
  // Of the verdict:
  kTotal,
  kEntry,  // such as a function
  kExpiredIgnore,
};

enum class Severity : uint8_t {
  kVerdict,    // as bad as its verdict
  kNotJudged,  // the dumps cannot be judged
  kFewSymbols,
};

Severity SeverityOf(FindingKind kind);

enum class Verdict : uint8_t { kOk, kInconclusive, kRegression };

// "ok", "inconclusive", "regression"
std::string_view VerdictName(Verdict verdict);

// Why the dumps are not judged.
struct GateFinding {
  FindingKind kind = FindingKind::kDamage;
  std::string message;  // like Error::message
};

using GateResult = std::expected<void, GateFinding>;

// Makes the result of a gate that ends the check:
//   return FailGate(kind, message);
inline std::unexpected<GateFinding> FailGate(FindingKind kind,
                                             std::string message) {
  return std::unexpected(GateFinding{kind, std::move(message)});
}

// Returns the exit status of a check that the finding of a gate has ended.
int StatusOf(const GateFinding& finding);

// Returns the exit status of a check with a verdict. `fails_from` is the
// mildest verdict that makes it fail; none: it never fails.
int StatusOf(Verdict verdict, const std::optional<Verdict>& fails_from);

}  // namespace heapprof
