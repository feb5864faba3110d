// SPDX-License-Identifier: Apache-2.0
#include "heapprof/check/settings.h"

#include <cstddef>

#include "heapprof/base/split.h"

namespace heapprof {
namespace {

template <typename T>
void CompleteSetting(std::optional<T>& setting, const std::optional<T>& other) {
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
  CompleteSetting(settings.max_total, others.max_total);
  CompleteSetting(settings.max_total_growth, others.max_total_growth);
  CompleteSetting(settings.max_growth, others.max_growth);
  CompleteSetting(settings.max_new, others.max_new);
  CompleteSetting(settings.by, others.by);
  CompleteSetting(settings.metric, others.metric);
  CompleteSetting(settings.confidence, others.confidence);
  CompleteSetting(settings.noise, others.noise);
  CompleteSetting(settings.fail_on, others.fail_on);
  CompleteSetting(settings.require_symbols, others.require_symbols);
}

}  // namespace heapprof
