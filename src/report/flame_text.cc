// SPDX-License-Identifier: Apache-2.0
#include "report/flame_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "heapprof/base/counted.h"
#include "heapprof/view/metric_words.h"
#include "heapprof/view/units.h"

namespace heapprof {
namespace {

double Number(int64_t value) { return static_cast<double>(value); }

}  // namespace

std::string FlameText::Amount(const FlameFrame& frame) const {
  const double now = Number(frame.total.now);
  if (graph_.is_comparison)
    return fmt::format("{} → {} ({})",
                       FormatAmount(Number(frame.total.base), unit_),
                       FormatAmount(now, unit_), ChangeText(frame));
  return FormatWithInterval(now, frame.interval, unit_);
}

std::string FlameText::Total() const {
  const FlameFrame& all = graph_.frames.front();
  std::string text = Amount(all);
  if (const auto& removed = graph_.filtered_out;
      removed.now != 0 || removed.base != 0) {
    const auto whole = [&](Side side) {
      return FormatAmount(Number(all.total[side]) + removed[side], unit_);
    };
    text += " of ";
    if (graph_.is_comparison) text += whole(Side::kBase) + " → ";
    text += whole(Side::kNew);
  }
  return fmt::format("{} {}", text, MetricState(graph_.metric));
}

std::string FlameText::Details(const FlameFrame& frame) const {
  const double all = Number(graph_.frames.front().total[side_]);
  const int64_t total = frame.total[side_];
  std::string text = fmt::format("{}, {}", Amount(frame),
                                 FormatShare(Percent(Number(total), all)));
  if (frame.samples != 0)
    text += ", " + Counted(static_cast<uint64_t>(frame.samples), "sample");
  const int64_t self = frame.self[side_];
  if (self != 0 && self != total)
    text += fmt::format(", {} itself", FormatAmount(Number(self), unit_));
  return graph_.is_comparison ? text + Verdict(frame) : text;
}

std::string FlameText::ChangeText(const FlameFrame& frame) const {
  const double change = Number(frame.total.now - frame.total.base);
  const Interval interval = frame.interval.value_or(Interval{change, change});
  if (unit_ == Unit::kMegabytes) return FormatChange(change, interval);
  std::string text =
      fmt::format("{}{}", PlusOf(change), FormatAmount(change, unit_));
  const double error =
      std::max(interval.upper - change, change - interval.lower);
  if (error > 0) text += " ± " + FormatAmount(std::ceil(error), unit_);
  return text;
}

std::string FlameText::Verdict(const FlameFrame& frame) const {
  if (frame.total.now == frame.total.base) return "; unchanged";
  if (frame.change == FrameChange::kNone) return "; may be chance";
  if (frame.is_new) return "; new";
  return frame.total.now == 0 ? "; gone" : "";
}

}  // namespace heapprof
