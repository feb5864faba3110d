// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <fmt/format.h>

#include "heapprof/report/doctor.h"
#include "report/field_writer.h"

namespace heapprof {
namespace {

constexpr size_t kKeyWidth = 22;

// Returns "ready", or "not ready: " and what is missing.
std::string Conclusion(const Diagnosis& diagnosis) {
  std::string text;
  for (const Fact& fact : diagnosis.facts)
    if (fact.state == FactState::kMissing && fact.is_required)
      text +=
          fmt::format("{}{}", text.empty() ? "not ready: " : ", ", fact.name);
  return text.empty() ? "ready" : text;
}

}  // namespace

std::string WriteDoctorText(const Diagnosis& diagnosis, size_t width) {
  FieldWriter out(ProseWidth(width), kKeyWidth);
  out.Line(diagnosis.subject);
  for (const Fact& fact : diagnosis.facts) {
    out.Field(fmt::format("{:<7}  {}", StateName(fact.state), fact.name),
              fact.text);
    if (!fact.command.empty()) out.FieldCommand(fact.command);
  }
  out.Line(Conclusion(diagnosis));
  return std::move(out).Finish();
}

}  // namespace heapprof
