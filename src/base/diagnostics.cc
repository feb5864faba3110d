// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/diagnostics.h"

#include <algorithm>
#include <utility>

namespace heapprof {

bool IsDamage(WarningKind kind) {
  switch (kind) {
    case WarningKind::kTruncated:
    case WarningKind::kCutCompression:
    case WarningKind::kOverwritten:
    case WarningKind::kMalformedLine:
    case WarningKind::kMalformedRecord:
    case WarningKind::kCutMemoryMap:
    case WarningKind::kNoMemoryMap:
    case WarningKind::kSamplesLeftOut:
    case WarningKind::kDamagedProfile:
    case WarningKind::kImplausibleCount:
      return true;
    case WarningKind::kForeignLines:
    case WarningKind::kMalformedMapLine:
    case WarningKind::kMixedSizes:
    case WarningKind::kCutStacks:
    case WarningKind::kAssumedPeriod:
    case WarningKind::kProfileSays:
    case WarningKind::kSeveralDumps:
    case WarningKind::kDifferentPeriods:
    case WarningKind::kDifferentPrograms:
    case WarningKind::kDifferentDetail:
    case WarningKind::kMissingFolder:
    case WarningKind::kPerfMap:
    case WarningKind::kMalformedPerfMap:
    case WarningKind::kUnfitFile:
    case WarningKind::kDoubtfulNames:
    case WarningKind::kDebugInformation:
    case WarningKind::kIndexCache:
    case WarningKind::kPortableIndex:
    case WarningKind::kAssumedBuild:
      return false;
  }
  return false;
}

Diagnostics::Warning& Diagnostics::FindOrAdd(WarningKind kind) {
  auto it = std::ranges::find(warnings_, kind, &Warning::kind);
  if (it != warnings_.end()) return *it;
  return warnings_.emplace_back(Warning{.kind = kind});
}

void Diagnostics::Warn(WarningKind kind, std::string message) {
  Warning& ours = FindOrAdd(kind);
  ++ours.count;
  if (ours.messages.size() < kKeptPerKind)
    ours.messages.push_back(std::move(message));
}

void Diagnostics::Note(std::string message) {
  if (message.empty() || std::ranges::find(notes_, message) != notes_.end())
    return;
  notes_.push_back(std::move(message));
}

void Diagnostics::Merge(const Warning& theirs) {
  Warning& ours = FindOrAdd(theirs.kind);
  const bool is_known =
      std::ranges::all_of(theirs.messages, [&ours](const std::string& message) {
        return std::ranges::find(ours.messages, message) != ours.messages.end();
      });
  if (is_known && theirs.count <= ours.count) return;
  ours.count += theirs.count;
  for (const std::string& message : theirs.messages)
    if (ours.messages.size() < kKeptPerKind) ours.messages.push_back(message);
}

void Diagnostics::Merge(const Diagnostics& other) {
  for (const Warning& theirs : other.warnings_) Merge(theirs);
  for (const std::string& note : other.notes_) Note(note);
}

size_t Diagnostics::Count(WarningKind kind) const {
  auto it = std::ranges::find(warnings_, kind, &Warning::kind);
  return it == warnings_.end() ? 0 : it->count;
}

}  // namespace heapprof
