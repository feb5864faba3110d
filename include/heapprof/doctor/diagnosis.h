// SPDX-License-Identifier: Apache-2.0
//
// What `heapprof doctor` finds out about a process, a program, a dump or this
// machine: facts, in the order in which a reader needs them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heapprof {

enum class FactState : uint8_t { kOk, kMissing, kUnknown };

constexpr std::string_view StateName(FactState state) {
  switch (state) {
    case FactState::kOk:
      return "ok";
    case FactState::kMissing:
      return "missing";
    case FactState::kUnknown:
      return "unknown";
  }
  return "";
}

struct Fact {
  std::string_view name;  // one or two words; a string literal
  FactState state = FactState::kOk;
  std::string text;
  // A shell command that fixes what is missing, or that finds out what is
  // unknown; or empty.
  std::string command = {};
  // False: dumps are useful without it.
  bool is_required = true;
};

struct Diagnosis {
  std::string_view kind;  // "process", "program", "dump" or "machine"
  std::string subject;    // "process 4711", "/srv/app"
  std::vector<Fact> facts = {};

  // False if something is missing that is required.
  bool IsReady() const {
    return std::ranges::none_of(facts, [](const Fact& fact) {
      return fact.state == FactState::kMissing && fact.is_required;
    });
  }
};

}  // namespace heapprof
