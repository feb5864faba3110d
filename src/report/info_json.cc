// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/info_json.h"

#include "heapprof/view/metric_words.h"
#include "report/json_parts.h"
#include "report/valid_utf8.h"

namespace heapprof {
namespace {

Json DumpObject(const Info& info) {
  Json dump = Json::object();
  AddText("path", info.dump.path, dump);
  dump["format"] = info.dump.format;
  dump["written_by"] = OrNull(info.dump.produced_by);
  dump["time_seconds"] =
      info.time_seconds == 0 ? Json() : Json(info.time_seconds);
  dump["sampling_period"] = OrNull(info.sampling_period);
  dump["has_memory_map"] = info.has_memory_map;
  dump["is_symbolized"] = info.is_symbolized;
  dump["stacks"] = info.stacks;
  dump["threads"] = info.threads;
  dump["more_sample_types"] = Json::array();
  for (const std::string& type : info.more_sample_types)
    dump["more_sample_types"].push_back(ValidUtf8(type));
  dump["lists_objects"] = info.lists_objects;
  dump["is_difference"] = info.is_difference;
  dump["slabs"] = Json::array();
  for (const SlabClass& slabs : info.slab_classes)
    dump["slabs"].push_back({{"region_size", slabs.region_size},
                             {"slab_bytes", slabs.slab_bytes},
                             {"used_bytes", slabs.used_bytes}});
  dump["unused_files"] = info.dump.unused_files;
  AddText("program", info.program, dump);
  return dump;
}

Json TotalsObject(const Info& info) {
  Json totals = Json::object();
  for (const MetricTotal& total : info.totals)
    totals[MetricName(total.metric)] = {
        {"value", WholeNumber(total.value)},
        {"interval",
         IntervalObject(total.is_exact ? std::nullopt : total.interval)},
        {"is_exact", total.is_exact}};
  return totals;
}

}  // namespace

std::string WriteInfoJson(const Info& info) {
  constexpr int kIndent = 2;
  const Json root = {
      {"schema", "heapprof.info"},
      {"schema_version", kInfoSchemaVersion},
      {"dump", DumpObject(info)},
      {"totals", TotalsObject(info)},
      {"coverage", CoverageObject(info.modules)},
      {"modules", ModuleArray(info.modules, /*has_dwarf=*/true)}};
  return Serialized(root, kIndent) + '\n';
}

}  // namespace heapprof
