// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "heapprof/doctor/diagnosis.h"

namespace heapprof {

inline Fact Ok(std::string_view name, std::string text) {
  return {.name = name, .text = std::move(text)};
}

inline Fact Unknown(std::string_view name, std::string text,
                    std::string command = {}) {
  return {.name = name,
          .state = FactState::kUnknown,
          .text = std::move(text),
          .command = std::move(command)};
}

// Without this, there are no useful dumps.
inline Fact Missing(std::string_view name, std::string text,
                    std::string command = {}) {
  return {.name = name,
          .state = FactState::kMissing,
          .text = std::move(text),
          .command = std::move(command)};
}

// Without this, dumps say less than they could.
inline Fact Lacking(std::string_view name, std::string text,
                    std::string command = {}) {
  Fact fact = Missing(name, std::move(text), std::move(command));
  fact.is_required = false;
  return fact;
}

}  // namespace heapprof
