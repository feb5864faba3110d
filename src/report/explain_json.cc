// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <utility>

#include "heapprof/report/explain.h"
#include "report/json_parts.h"
#include "report/valid_utf8.h"

namespace heapprof {
namespace {

// Returns `number`, or null without a comparison.
Json BaseNumber(const Waterfall& waterfall, int64_t number) {
  return waterfall.IsComparison() ? Json(number) : Json();
}

Json LineObject(const Waterfall& waterfall, const WaterfallLine& line) {
  return {{"name", NameOf(line.kind)},
          {"label", LabelOf(line.kind)},
          {"bytes", line.bytes},
          {"base_bytes", BaseNumber(waterfall, line.base_bytes)},
          {"certainty", NameOf(line.certainty)},
          {"detail", OrNull(line.detail)},
          {"advice", OrNull(line.advice)}};
}

Json HolderObject(const Waterfall& waterfall, const SlabHolder& holder) {
  Json frames = Json::array();
  for (const std::string& frame : holder.frames)
    frames.push_back(ValidUtf8(frame));
  Json kept;
  if (holder.kept)
    kept = {{"share", holder.kept->share},
            {"lower", holder.kept->bounds.lower},
            {"upper", holder.kept->bounds.upper},
            {"samples", holder.kept->samples}};
  const WholeInterval bounds = WholeBounds(holder.object_bounds);
  return {{"frames", std::move(frames)},
          {"samples", holder.samples},
          {"objects", WholeNumber(holder.objects)},
          {"lower", bounds.lower},
          {"upper", bounds.upper},
          {"at_most_bytes", holder.at_most},
          {"at_least_bytes", holder.at_least},
          {"added_objects",
           BaseNumber(waterfall, WholeNumber(holder.added_objects))},
          {"added_share",
           waterfall.IsComparison() ? Json(holder.added_share) : Json()},
          {"kept", std::move(kept)}};
}

Json ReplayObject(const ReplayFit& fit) {
  return {{"fits", fit.fits},
          {"free_share", fit.free_share},
          {"actual_share", fit.actual_share},
          {"objects", fit.objects},
          {"live", fit.live},
          {"older", fit.older},
          {"is_uncertain", fit.is_uncertain}};
}

Json ClassObject(const Waterfall& waterfall, const ClassWaste& waste) {
  const auto base_free = static_cast<int64_t>(waste.base.free_bytes());
  Json holders = Json::array();
  for (const SlabHolder& holder : waste.holders)
    holders.push_back(HolderObject(waterfall, holder));
  return {{"size", waste.small.size},
          {"free_bytes", waste.small.free_bytes()},
          {"base_free_bytes", BaseNumber(waterfall, base_free)},
          {"objects", waste.small.regions},
          {"regions", waste.small.capacity()},
          {"slabs", waste.small.slabs},
          {"holders", std::move(holders)},
          {"replay", waste.replay ? ReplayObject(*waste.replay) : Json()}};
}

Json DumpObject(const std::optional<DumpSamples>& dump) {
  if (!dump) return {};
  const WholeInterval bounds = WholeBounds(dump->bounds);
  return {{"live_bytes", WholeNumber(dump->live)},
          {"lower", bounds.lower},
          {"upper", bounds.upper}};
}

}  // namespace

std::string WriteExplainJson(const Waterfall& waterfall) {
  constexpr int kIndent = 2;
  Json lines = Json::array(), classes = Json::array(), remarks = Json::array();
  for (const WaterfallLine& line : waterfall.lines)
    lines.push_back(LineObject(waterfall, line));
  for (const ClassWaste& waste : waterfall.classes)
    classes.push_back(ClassObject(waterfall, waste));
  for (const Remark& remark : waterfall.remarks)
    remarks.push_back(
        {{"name", NameOf(remark.kind)}, {"text", ValidUtf8(remark.text)}});
  const Json root = {{"schema", "heapprof.explain"},
                     {"schema_version", kExplainSchemaVersion},
                     {"total", waterfall.is_rss ? "rss" : "resident"},
                     {"total_bytes", waterfall.total},
                     {"base_total_bytes",
                      BaseNumber(waterfall, waterfall.base_total.value_or(0))},
                     {"jemalloc_bytes", waterfall.jemalloc},
                     {"is_jemalloc_exact", waterfall.is_jemalloc_exact},
                     {"lines", lines},
                     {"classes", classes},
                     {"dump", DumpObject(waterfall.dump)},
                     {"base_dump", DumpObject(waterfall.base_dump)},
                     {"remarks", remarks}};
  return Serialized(root, kIndent) + '\n';
}

}  // namespace heapprof
