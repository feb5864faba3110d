// SPDX-License-Identifier: Apache-2.0
#include "view/moved_code.h"

#include <cmath>
#include <string>
#include <vector>

#include "heapprof/base/base_name.h"
#include "heapprof/base/unqualified_name.h"
#include "heapprof/demangle/names.h"
#include "heapprof/stats/sum.h"

namespace heapprof {
namespace {

// At most this many new entries and this many gone entries are examined. The
// number is limited because each new entry is compared with each gone one.
constexpr size_t kMostExamined = 100;

// Returns the part of a name that stays the same when code is moved to another
// namespace or folder; empty if there is no such part.
std::string LastPart(const std::string& key, CompareBy by) {
  if (by == CompareBy::kFile || by == CompareBy::kModule)
    return std::string(BaseName(key));
  if (by != CompareBy::kFunction) return "";
  return std::string(UnqualifiedName(ShortName(key)));
}

// True if one entry gained as much as the other lost, as far as sampling can
// tell.
bool Cancel(const ComparisonEntry& a, const ComparisonEntry& b) {
  const double total = a.change + b.change;
  if (IsRoundingError(total, std::abs(a.change) + std::abs(b.change)))
    return true;
  return total >= 0 ? total <= std::hypot(a.change - a.interval.lower,
                                          b.change - b.interval.lower)
                    : -total <= std::hypot(a.interval.upper - a.change,
                                           b.interval.upper - b.change);
}

struct Candidate {
  ComparisonEntry* entry;
  std::string last_part;
};

std::vector<Candidate> CandidatesOf(Comparison& comparison,
                                    bool ComparisonEntry::* kind) {
  std::vector<Candidate> candidates;
  for (ComparisonEntry& entry : comparison.entries)
    if (entry.*kind && !entry.is_noise && candidates.size() < kMostExamined)
      candidates.push_back({&entry, LastPart(entry.key, comparison.by)});
  return candidates;
}

// Returns the candidate whose change cancels that of `of`. If several do,
// prefers those that share the last part of its name. Returns null if no
// candidate fits, or if more than one is left.
const Candidate* FindMatch(const Candidate& of,
                           const std::vector<Candidate>& candidates) {
  std::vector<const Candidate*> fitting, named;
  for (const Candidate& candidate : candidates) {
    if (!Cancel(*of.entry, *candidate.entry)) continue;
    fitting.push_back(&candidate);
    if (!of.last_part.empty() && of.last_part == candidate.last_part)
      named.push_back(&candidate);
  }
  const auto& chosen = named.empty() ? fitting : named;
  return chosen.size() == 1 ? chosen.front() : nullptr;
}

}  // namespace

void MarkMoved(Comparison& comparison) {
  const auto came = CandidatesOf(comparison, &ComparisonEntry::is_new);
  const auto went = CandidatesOf(comparison, &ComparisonEntry::is_gone);
  for (const Candidate& candidate : came) {
    const Candidate* match = FindMatch(candidate, went);
    if (match == nullptr || FindMatch(*match, came) != &candidate) continue;
    candidate.entry->maybe_moved = match->entry->key;
    match->entry->maybe_moved = candidate.entry->key;
  }
}

}  // namespace heapprof
