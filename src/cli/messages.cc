// SPDX-License-Identifier: Apache-2.0
#include "cli/messages.h"

#include <cmath>
#include <cstdlib>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "heapprof/base/base_name.h"

namespace heapprof {
namespace {

constexpr size_t kModulesListed = 3;

std::string Describe(const ModuleRow& module) {
  if (module.path.empty())
    return fmt::format("{} addresses outside the memory map",
                       module.unresolved);
  return fmt::format("{}: {}", BaseName(module.path), module.facts.reason);
}

std::string Stacks(size_t count) {
  return fmt::format("{} {}", count, count == 1 ? "stack" : "stacks");
}

std::string Describe(const FilterEffect& effect, Metric metric) {
  std::string text = fmt::format("{:.200}", effect.filter);
  if (effect.cut_stacks > 0)
    text += fmt::format(" cut frames from {}", Stacks(effect.cut_stacks));
  if (effect.removed_stacks > 0)
    text += fmt::format(
        "{} removed {} of {} with {:.0f} {} ({:.1f} %)",
        effect.cut_stacks > 0 ? " and" : "", effect.removed_stacks,
        Stacks(effect.removed_stacks + effect.left_stacks),
        std::trunc(effect.removed_value) + 0.0,
        IsObjectCount(metric) ? "objects" : "bytes", effect.removed_percent);
  if (effect.not_own_stacks > 0)
    text += fmt::format("{} left {} as [not own]",
                        effect.cut_stacks > 0 ? " and" : "",
                        Stacks(effect.not_own_stacks));
  if (effect.cut_stacks + effect.removed_stacks + effect.not_own_stacks == 0)
    text += " changed nothing";
  if (effect.removed_stacks > 0 && effect.left_stacks == 0)
    text += ", which leaves nothing to show";
  return text;
}

}  // namespace

std::string CoverageSummary(const ModuleTable& modules) {
  if (modules.unresolved == 0) return "";
  std::string text = fmt::format(
      "{} of {} modules unresolved ({:.1f} % of {})", modules.unresolved,
      modules.rows.size(), modules.unresolved_percent,
      IsObjectCount(modules.metric) ? "objects" : "bytes");
  size_t listed = 0;
  for (const ModuleRow& module : modules.rows) {
    if (module.unresolved == 0 || listed == kModulesListed) continue;
    text += listed++ == 0 ? ": " : "; ";
    text += Describe(module);
  }
  if (modules.unresolved > listed)
    text += fmt::format("; and {} more", modules.unresolved - listed);
  return text;
}

std::string EmptyReason(bool has_new_side, const Profile& profile,
                        const Options& options) {
  const uint64_t sampling_period = profile.sampling_period;
  if (!has_new_side)
    return fmt::format(
        "the dump holds no samples: profiling was not active, or the heap is "
        "small against the sampling period{}",
        sampling_period == 0 ? std::string()
                             : fmt::format(" of {} bytes", sampling_period));
  if (!options.bases.empty())
    return options.drop_negative ? "nothing grew against the base"
                                 : "no difference to the base";
  const std::optional<Metric> other = MetricWithValues(profile);
  return fmt::format("no sample has a value of the metric asked for{}",
                     other ? fmt::format("; --{} has some", MetricName(*other))
                           : std::string());
}

std::string FilterSummary(const std::vector<FilterEffect>& effects,
                          Metric metric) {
  std::string text;
  for (const FilterEffect& effect : effects) {
    if (!text.empty()) text += "; ";
    text += Describe(effect, metric);
  }
  return text;
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
