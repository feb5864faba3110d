// SPDX-License-Identifier: Apache-2.0
#include "heapprof/check/settings.h"

#include <cstddef>

#include "heapprof/base/split.h"

namespace heapprof {
namespace {

template <typename T>
void Complete(std::optional<T>& setting, const std::optional<T>& other) {
  if (!setting) setting = other;
}

}  // namespace

std::string_view NoiseModeName(NoiseMode mode) {
  return ChoiceAt(kNoiseChoices, static_cast<size_t>(mode));
}

std::optional<Verdict> CheckSettings::FailsFrom() const {
  switch (fail_on.value_or(FailOn::kRegression)) {
    case FailOn::kRegression:
      return Verdict::kRegression;
    case FailOn::kInconclusive:
      return Verdict::kInconclusive;
    case FailOn::kNever:
      return std::nullopt;
  }
  return std::nullopt;
}

void Complete(CheckSettings& settings, const CheckSettings& others) {
  Complete(settings.max_total, others.max_total);
  Complete(settings.max_total_growth, others.max_total_growth);
  Complete(settings.max_growth, others.max_growth);
  Complete(settings.max_new, others.max_new);
  Complete(settings.by, others.by);
  Complete(settings.metric, others.metric);
  Complete(settings.confidence, others.confidence);
  Complete(settings.noise, others.noise);
  Complete(settings.fail_on, others.fail_on);
  Complete(settings.require_symbols, others.require_symbols);
}

}  // namespace heapprof
