// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/explain.h"
#include "report/json_parts.h"
#include "report/valid_utf8.h"

namespace heapprof {
namespace {

Json LineObject(const WaterfallLine& line) {
  return {
      {"name", NameOf(line.kind)},     {"label", LabelOf(line.kind)},
      {"bytes", line.bytes},           {"certainty", NameOf(line.certainty)},
      {"detail", OrNull(line.detail)}, {"advice", OrNull(line.advice)}};
}

Json ClassObject(const ClassWaste& waste) {
  return {{"size", waste.small.size},
          {"free_bytes", waste.small.free_bytes()},
          {"objects", waste.small.regions},
          {"regions", waste.small.capacity()},
          {"slabs", waste.small.slabs}};
}

Json DumpObject(const DumpSamples& dump) {
  const WholeInterval bounds = RoundedOutwards(dump.bounds);
  return {{"live_bytes", WholeNumber(dump.live)},
          {"lower", bounds.lower},
          {"upper", bounds.upper}};
}

}  // namespace

std::string WriteExplainJson(const Waterfall& waterfall) {
  constexpr int kIndent = 2;
  Json lines = Json::array(), classes = Json::array(), remarks = Json::array();
  for (const WaterfallLine& line : waterfall.lines)
    lines.push_back(LineObject(line));
  for (const ClassWaste& waste : waterfall.classes)
    classes.push_back(ClassObject(waste));
  for (const Remark& remark : waterfall.remarks)
    remarks.push_back(
        {{"name", NameOf(remark.kind)}, {"text", ValidUtf8(remark.text)}});
  const Json root = {
      {"schema", "heapprof.explain"},
      {"schema_version", kExplainSchemaVersion},
      {"total", waterfall.is_rss ? "rss" : "resident"},
      {"total_bytes", waterfall.total},
      {"jemalloc_bytes", waterfall.jemalloc},
      {"is_jemalloc_exact", waterfall.is_jemalloc_exact},
      {"lines", lines},
      {"classes", classes},
      {"dump", waterfall.dump ? DumpObject(*waterfall.dump) : Json()},
      {"remarks", remarks}};
  return Serialized(root, kIndent) + '\n';
}

}  // namespace heapprof
