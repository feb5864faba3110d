// SPDX-License-Identifier: Apache-2.0

#include "heapprof/report/doctor.h"
#include "report/json_parts.h"
#include "report/valid_utf8.h"

namespace heapprof {
namespace {

Json FactObject(const Fact& fact) {
  return {{"name", fact.name},
          {"state", StateName(fact.state)},
          {"is_required", fact.is_required},
          {"text", ValidUtf8(fact.text)},
          {"command",
           fact.command.empty() ? Json() : Json(ValidUtf8(fact.command))}};
}

}  // namespace

std::string WriteDoctorJson(const Diagnosis& diagnosis) {
  constexpr int kIndent = 2;
  Json facts = Json::array();
  for (const Fact& fact : diagnosis.facts) facts.push_back(FactObject(fact));
  const Json root = {{"schema", "heapprof.doctor"},
                     {"schema_version", kDoctorSchemaVersion},
                     {"kind", diagnosis.kind},
                     {"subject", ValidUtf8(diagnosis.subject)},
                     {"is_ready", diagnosis.IsReady()},
                     {"facts", facts}};
  return Serialized(root, kIndent) + '\n';
}

}  // namespace heapprof
