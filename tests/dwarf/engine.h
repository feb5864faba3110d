// SPDX-License-Identifier: Apache-2.0
//
// The two engines that read DWARF, by name, for tests that run with both.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "heapprof/dwarf/dwarf_resolver.h"
#include "heapprof/dwarf/libdw_resolver.h"

namespace heapprof {

enum class Engine { kReader, kLibdw };

inline void PrintTo(Engine engine, std::ostream* out) {
  *out << (engine == Engine::kReader ? "reader" : "libdw");
}

inline Result<std::unique_ptr<AddressResolver>> OpenResolver(
    Engine engine, const ElfImage& image, const SymbolTable& symbols,
    const ElfImage* alternate = nullptr) {
  if (engine == Engine::kReader)
    return OpenDwarfResolver(image, image, symbols, 1,
                             {.alternate = alternate});
  return OpenLibdwResolver(image, image, symbols,
                           alternate == nullptr ? "" : alternate->path());
}

// A test case per engine and fixture, called "reader_gcc_dwarf5".
using EngineAndFixture = std::tuple<Engine, const char*>;

inline std::string NameOf(const EngineAndFixture& test) {
  return testing::PrintToString(std::get<0>(test)) + '_' + std::get<1>(test);
}

template <typename... Names>
auto BothEngines(Names... fixtures) {
  return testing::Combine(testing::Values(Engine::kReader, Engine::kLibdw),
                          testing::Values(fixtures...));
}

}  // namespace heapprof
