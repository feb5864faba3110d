// SPDX-License-Identifier: Apache-2.0
#include "heapprof/dwarf/symbol_resolver.h"

#include <optional>

#include "dwarf/map/code_map_builder.h"
#include "dwarf/shared/answer_builder.h"

namespace heapprof {
namespace {

class SymbolResolver : public AddressResolver {
 public:
  explicit SymbolResolver(const SymbolTable& symbols) : symbols_(symbols) {}

  ResolvedAddresses Resolve(std::span<const uint64_t> addresses) override {
    AnswerBuilder answer(addresses.size());
    for (uint32_t i = 0; i < addresses.size(); ++i) {
      const std::optional<Symbol> symbol = symbols_.Find(addresses[i]);
      if (!symbol) continue;
      const uint32_t function = answer.AddFunction(FunctionOfSymbol(*symbol));
      answer.AddFrame(i, {.function = function});
    }
    return answer.Take();
  }

  std::vector<std::string> problems() const override { return {}; }

 private:
  const SymbolTable& symbols_;
};

}  // namespace

std::unique_ptr<AddressResolver> MakeSymbolResolver(
    const SymbolTable& symbols) {
  return std::make_unique<SymbolResolver>(symbols);
}

CodeMap MapSymbols(const ElfImage& binary, const SymbolTable& symbols) {
  return CodeMapBuilder(binary, symbols, /*jobs=*/1).Finish();
}

}  // namespace heapprof
