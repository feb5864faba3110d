// SPDX-License-Identifier: Apache-2.0
#include "doctor/generated_code.h"

#include <unistd.h>

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "doctor/make_fact.h"
#include "heapprof/base/base_name.h"

namespace heapprof {
namespace {

bool Maps(const ProcessView& process, std::string_view start) {
  return std::ranges::any_of(process.map.entries(),
                             [start](const MapEntry& entry) {
                               return BaseName(entry.path).starts_with(start);
                             });
}

// Returns true if an argument, or a variable of the environment whose name
// ends with OPTIONS, contains `option`.
bool HasOption(const ProcessView& process, std::string_view option) {
  const auto contains = [option](const std::string& text) {
    return text.contains(option);
  };
  return std::ranges::any_of(process.arguments, contains) ||
         std::ranges::any_of(process.environment, [&](const auto& entry) {
           return entry.substr(0, entry.find('=')).ends_with("OPTIONS") &&
                  contains(entry);
         });
}

Fact CodeFact(const ProcessView& process, const char* language,
              const std::string& command) {
  constexpr std::string_view kName = "code";
  const std::string map =
      fmt::format("/tmp/perf-{}.map", process.inner_process);
  if (access(process.PathHere(map).c_str(), R_OK) == 0)
    return Ok(kName,
              fmt::format("{} names the compiled {} code", map, language));
  return Lacking(kName,
                 fmt::format("compiled {} code has no names: {} is not there; "
                             "stacks end there, unless jemalloc was built with "
                             "--enable-prof-frameptr",
                             language, map),
                 command);
}

}  // namespace

void AddGeneratedCode(const ProcessView& process, std::vector<Fact>& facts) {
  if (Maps(process, "libjvm.so")) {
    facts.push_back(CodeFact(
        process, "Java",
        fmt::format("jcmd {} Compiler.perfmap", process.inner_process)));
    if (!HasOption(process, "+PreserveFramePointer"))
      facts.push_back(Lacking("Java stacks", "the JVM keeps no frame pointers",
                              "export JAVA_TOOL_OPTIONS=-XX:+"
                              "PreserveFramePointer"));
  }
  const std::string_view name = BaseName(process.program);
  if (name == "node" || name == "nodejs" || Maps(process, "libnode.so"))
    facts.push_back(CodeFact(process, "JavaScript",
                             "export NODE_OPTIONS=--perf-basic-prof"));
}

}  // namespace heapprof
