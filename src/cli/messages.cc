// SPDX-License-Identifier: Apache-2.0
#include "cli/messages.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace heapprof {
namespace {

constexpr size_t kModulesListed = 3;

std::string_view BaseName(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

std::string Describe(const Profile& profile, const ModuleCoverage& module,
                     const Symbolizer& symbolizer) {
  if (module.mapping.IsNone())
    return fmt::format("{} addresses outside the memory map",
                       module.unresolved);
  const Mapping& mapping = profile.mappings[module.mapping.index()];
  const MissReason miss = symbolizer.MissOf(profile, module.mapping);
  return fmt::format("{}: {}", BaseName(profile.String(mapping.filename)),
                     miss.text.empty()
                         ? fmt::format("no symbol for {} of {} addresses",
                                       module.unresolved, module.locations)
                         : miss.text);
}

}  // namespace

std::string CoverageSummary(const Profile& profile, const Coverage& coverage,
                            const Symbolizer& symbolizer, Metric metric) {
  std::vector<ModuleCoverage> missing;
  double value = 0;
  for (const ModuleCoverage& module : coverage.modules) {
    if (module.unresolved == 0) continue;
    missing.push_back(module);
    value += module.unresolved_value;
  }
  if (missing.empty()) return "";
  std::ranges::sort(missing, {}, [](const ModuleCoverage& module) {
    return std::pair(-module.unresolved_value, module.mapping);
  });
  const double share =
      coverage.total_value == 0 ? 0 : 100 * value / coverage.total_value;
  std::string text = fmt::format("{} of {} modules unresolved ({:.1f} % of {})",
                                 missing.size(), coverage.modules.size(), share,
                                 IsObjectCount(metric) ? "objects" : "bytes");
  for (size_t i = 0; i < std::min(missing.size(), kModulesListed); ++i) {
    text += i == 0 ? ": " : "; ";
    text += Describe(profile, missing[i], symbolizer);
  }
  if (missing.size() > kModulesListed)
    text += fmt::format("; and {} more", missing.size() - kModulesListed);
  return text;
}

std::string EmptyReason(bool has_new_side, uint64_t sampling_period,
                        const Options& options) {
  if (!has_new_side)
    return fmt::format(
        "the dump holds no samples: profiling was not active, or the heap is "
        "small against the sampling period of {} bytes",
        sampling_period);
  if (!options.bases.empty())
    return options.drop_negative ? "nothing grew against the base"
                                 : "no difference to the base";
  return "no sample has a value of the metric asked for";
}

std::vector<std::string> Warnings(const Diagnostics& diagnostics, bool all) {
  std::vector<std::string> lines;
  for (const auto& finding : diagnostics.findings()) {
    const size_t shown = all ? finding.messages.size() : 1;
    for (size_t i = 0; i < shown; ++i) lines.push_back(finding.messages[i]);
    if (finding.count > shown)
      lines.back() +=
          fmt::format(" (and {} more of this kind)", finding.count - shown);
  }
  return lines;
}

}  // namespace heapprof
