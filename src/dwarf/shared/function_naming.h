// SPDX-License-Identifier: Apache-2.0
//
// Chooses the name of a function, with the same rules for both engines:
// 1. The linkage name. If several DIEs on the function's chain of abstract
//    origins and specifications have one, the last counts: it belongs to the
//    declaration, which all clones share (for a constructor it is then the
//    unified C4 form).
// 2. If DWARF has no linkage name (static functions, lambdas): the ELF symbol
//    at the entry PC of the out-of-line copy.
// 3. Otherwise the plain name, qualified by the scopes around the declaration.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "heapprof/elf/symbol_table.h"

namespace heapprof {

// False if the symbol of every function of `language` (DW_LANG_*) is its plain
// name, as in C. Only C++ compilers omit linkage names that differ from the
// plain name.
bool MayMangleNames(int language);

// True if `symbol` can be the symbol of the function that DWARF calls `name`
// ("f", "f<int>", "operator()"). The symbol at an address may belong to another
// function: a linker that folds identical functions puts several names at one
// address.
bool CanBeSymbolOf(std::string_view symbol, std::string_view name);

// The attributes on a function's chain of origins that determine its name.
struct NameAttributes {
  std::string_view linkage_name = {};  // the last on the chain
  std::string_view name = {};  // the first; unused if there is a linkage name
  bool external = false;
  int language = -1;      // DW_LANG_*; -1 if unknown
  uint64_t entry_pc = 0;  // of the out-of-line copy; 0 if there is none
};

// True if the symbol at the entry PC may be a better name than those in
// `attributes`.
bool NeedsSymbol(const NameAttributes& attributes);

// One of the names is empty; see SourceFunction.
struct FunctionName {
  std::string_view linkage_name;  // points into the attributes or the symbols
  std::string scoped_name;
};

// `scope_prefix` returns the names of the scopes around the declaration, each
// followed by "::". It is only called if they are needed.
FunctionName NameFunction(const NameAttributes& attributes,
                          const SymbolTable& symbols,
                          const std::function<std::string()>& scope_prefix);

}  // namespace heapprof
