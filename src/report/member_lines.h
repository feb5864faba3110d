// SPDX-License-Identifier: Apache-2.0
//
// Writes the members of a JSON object, one per line. Converts long arrays
// element by element, so that they are never in memory as a whole Json value.
#pragma once

#include <string_view>

#include "heapprof/base/byte_sink.h"
#include "report/json_parts.h"

namespace heapprof {

class MemberLines {
 public:
  explicit MemberLines(ByteSink& out) : out_(out) {}

  void Add(std::string_view name, const Json& value) {
    Begin(name);
    out_.Append(Serialized(value));
  }

  // Writes an array with `to_json(element)` for each element, one per line.
  template <typename Elements, typename ToJson>
  void AddArray(std::string_view name, const Elements& elements,
                ToJson to_json) {
    Begin(name);
    const char* separator = "[\n";
    for (const auto& element : elements) {
      out_.Append(separator);
      out_.Append(Serialized(to_json(element)));
      separator = ",\n";
    }
    out_.Append(elements.empty() ? "[]" : "\n]");
  }

  void Finish() { out_.Append("\n}\n"); }

 private:
  void Begin(std::string_view name) {
    out_.Format("{}\"{}\": ", is_first_ ? "{\n" : ",\n", name);
    is_first_ = false;
  }

  ByteSink& out_;
  bool is_first_ = true;
};

}  // namespace heapprof
