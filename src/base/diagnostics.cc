// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/diagnostics.h"

#include <algorithm>
#include <utility>

namespace heapprof {

Diagnostics::Finding& Diagnostics::FindOrAdd(std::string_view kind) {
  auto it = std::ranges::find(findings_, kind, &Finding::kind);
  if (it != findings_.end()) return *it;
  return findings_.emplace_back(Finding{std::string(kind), 0, {}});
}

void Diagnostics::Warn(std::string_view kind, std::string message) {
  Finding& ours = FindOrAdd(kind);
  ++ours.count;
  if (ours.messages.size() < kKeptPerKind)
    ours.messages.push_back(std::move(message));
}

void Diagnostics::Note(std::string message) {
  if (message.empty() || std::ranges::find(notes_, message) != notes_.end())
    return;
  notes_.push_back(std::move(message));
}

void Diagnostics::Merge(const Diagnostics& other) {
  for (const Finding& theirs : other.findings_) {
    Finding& ours = FindOrAdd(theirs.kind);
    ours.count += theirs.count;
    for (const std::string& message : theirs.messages)
      if (ours.messages.size() < kKeptPerKind) ours.messages.push_back(message);
  }
  for (const std::string& note : other.notes_) Note(note);
}

size_t Diagnostics::Count(std::string_view kind) const {
  auto it = std::ranges::find(findings_, kind, &Finding::kind);
  return it == findings_.end() ? 0 : it->count;
}

}  // namespace heapprof
