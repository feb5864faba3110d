// SPDX-License-Identifier: Apache-2.0
#include "heapprof/symbolize/index_binary.h"

#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heapprof/dwarf/dwarf_resolver.h"
#include "heapprof/dwarf/symbol_resolver.h"
#include "heapprof/index/portable_index.h"

namespace heapprof {
namespace {

Result<std::string> IndexDebugInfo(const Module& module, std::string_view name,
                                   const IndexedBinary& description,
                                   unsigned jobs) {
  // Without addresses, this only opens the debug information, in a way that
  // needs less memory than OpenDwarfResolver() if it is large and compressed.
  const auto opened = OpenAndResolveDwarf(
      *module.debug(), module.binary(),
      [&module]() -> const SymbolTable& { return module.symbols(); }, {},
      {.jobs = jobs,
       .split = module.split_search(),
       .streaming = {.most_kept = UnitStreaming::kUsualSize}});
  if (!opened) return std::unexpected(opened.error());
  AddressResolver& engine = *opened->resolver;
  if (!engine.IdentifySplitFiles())
    return Fail(ErrorKind::kNoData,
                "some of its split debug information is missing; name the "
                ".dwp file, or the folder of the .dwo files with --debug-dir");
  const std::optional<CodeMap> map = engine.MapCode(jobs);
  if (map)
    return MakePortableIndex(name, module.binary(), description, *map, jobs);
  const std::vector<std::string> problems = engine.problems();
  return Fail(
      ErrorKind::kNoData,
      fmt::format("its debug information cannot be indexed{}{}",
                  problems.empty() ? "" : ": ", fmt::join(problems, "; ")));
}

}  // namespace

Result<IndexedBinary> DescribeModule(const Module& module, unsigned jobs) {
  return DescribeBinary(module.binary(), module.debug() != nullptr, jobs);
}

Result<std::string> IndexModule(const Module& module, std::string_view name,
                                const IndexedBinary& description,
                                unsigned jobs) {
  if (module.debug() != nullptr)
    return IndexDebugInfo(module, name, description, jobs);
  return MakePortableIndex(name, module.binary(), description,
                           MapSymbols(module.binary(), module.symbols()), jobs);
}

}  // namespace heapprof
