// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/callgrind.h"

#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/core.h>

#include "heapprof/base/append_format.h"
#include "heapprof/base/hash.h"
#include "heapprof/base/printable.h"

namespace heapprof {
namespace {

// The name that Callgrind's tools use for anything unknown.
constexpr std::string_view kUnknown = "???";

// Numbers names. Text() returns "(1) name" for the first use of a name and the
// short form "(1)" from then on.
class NameTable {
 public:
  std::string Text(std::string_view name) {
    const std::string printable =
        name.empty() ? std::string(kUnknown) : Printable(name);
    const auto [it, added] = ids_.try_emplace(printable, ids_.size() + 1);
    return added ? fmt::format("({}) {}", it->second, printable)
                 : fmt::format("({})", it->second);
  }

 private:
  std::unordered_map<std::string, size_t, RandomHash> ids_;
};

class CallgrindWriter {
 public:
  explicit CallgrindWriter(const CallCosts& costs) : costs_(costs) {}

  std::string Write(const CallgrindOptions& options) && {
    AppendFormat(out_,
                 "# callgrind format\nversion: 1\ncreator: {}\ncmd: {}\n"
                 "positions: line\nevents: {}\nsummary: {}\n",
                 Printable(options.creator), Printable(options.command),
                 Printable(options.event), costs_.total);
    auto self = costs_.selves.begin();
    auto call = costs_.calls.begin();
    for (uint32_t i = 0; i < costs_.functions.size(); ++i) {
      const auto owns = [i](uint32_t function) { return function == i; };
      const bool has_self = self != costs_.selves.end() && owns(self->function);
      const bool has_call = call != costs_.calls.end() && owns(call->caller);
      if (has_self || has_call) AddHead("", costs_.functions[i]);
      for (; self != costs_.selves.end() && owns(self->function); ++self)
        AppendFormat(out_, "{} {}\n", self->line, self->value);
      for (; call != costs_.calls.end() && owns(call->caller); ++call)
        AddCall(*call);
    }
    return std::move(out_);
  }

 private:
  // Writes the binary, the file and the name of a function, which together
  // identify it. `prefix` is "c" for a called function.
  void AddHead(std::string_view prefix, const CostFunction& function) {
    if (prefix.empty()) out_ += '\n';
    AppendFormat(out_, "{}ob={}\n", prefix, objects_.Text(function.object));
    AppendFormat(out_, "{}={}\n", prefix.empty() ? "fl" : "cfi",
                 files_.Text(function.file));
    AppendFormat(out_, "{}fn={}\n", prefix, names_.Text(function.name));
  }

  void AddCall(const CallCost& call) {
    const CostFunction& callee = costs_.functions[call.callee];
    AddHead("c", callee);
    AppendFormat(out_, "calls={} {}\n{} {}\n", call.stacks, callee.start_line,
                 call.line, call.value);
  }

  const CallCosts& costs_;
  NameTable objects_, files_, names_;
  std::string out_;
};

}  // namespace

std::string WriteCallgrind(const CallCosts& costs,
                           const CallgrindOptions& options) {
  return CallgrindWriter(costs).Write(options);
}

}  // namespace heapprof
