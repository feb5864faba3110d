// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/diagnostics.h"

#include <algorithm>
#include <utility>

namespace heapprof {

Diagnostics::Finding& Diagnostics::Entry(std::string_view kind) {
  auto it = std::ranges::find(findings_, kind, &Finding::kind);
  if (it != findings_.end()) return *it;
  return findings_.emplace_back(Finding{std::string(kind), 0, {}});
}

void Diagnostics::Warn(std::string_view kind, std::string message) {
  Finding& entry = Entry(kind);
  ++entry.count;
  if (entry.messages.size() < kKeptPerKind)
    entry.messages.push_back(std::move(message));
}

void Diagnostics::Merge(const Diagnostics& other) {
  for (const Finding& theirs : other.findings_) {
    Finding& entry = Entry(theirs.kind);
    entry.count += theirs.count;
    for (const std::string& message : theirs.messages)
      if (entry.messages.size() < kKeptPerKind)
        entry.messages.push_back(message);
  }
}

size_t Diagnostics::Count(std::string_view kind) const {
  auto it = std::ranges::find(findings_, kind, &Finding::kind);
  return it == findings_.end() ? 0 : it->count;
}

}  // namespace heapprof
