// SPDX-License-Identifier: Apache-2.0
//
// Which name a function gets, whichever engine has read what the debug
// information says of it.
//
// The linkage name that names a function is the one furthest along its chain
// of abstract origins and specifications: that of the declaration, which all
// its clones share (a constructor's is then the unified C4 form). Without
// one in DWARF (static functions, lambdas) the ELF symbol at the entry PC of
// the out-of-line copy supplies it; failing that the name is qualified by the
// scopes around the declaration.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "heapprof/elf/symbol_table.h"

namespace heapprof {

// True unless every function of `language` (DW_LANG_*) has its plain name as
// symbol. Only C++ compilers leave out linkage names that differ.
bool MayMangleNames(int language);

// True if `symbol` can be the symbol of the function that DWARF calls `name`
// ("f", "f<int>", "operator()"). Linkers that fold identical functions leave
// several names at one address.
bool CanBeSymbolOf(std::string_view symbol, std::string_view name);

// What the chain of origins says of a function's name.
struct NameAttributes {
  std::string_view linkage_name = {};  // the furthest
  std::string_view name = {};          // the nearest; not needed with the other
  bool external = false;
  int language = -1;      // DW_LANG_*; -1 if not known
  uint64_t entry_pc = 0;  // of the out-of-line copy; 0 if there is none
};

// True if a symbol at the entry PC of a copy may name the function.
bool NeedsSymbol(const NameAttributes& attributes);

// See SourceFunction; one of them is empty.
struct FunctionName {
  std::string_view linkage_name;  // as long-lived as the attributes and symbols
  std::string scoped_name;
};

// `scope_prefix` gives the names of the scopes around the declaration, each
// with "::" behind it; it is asked only if they are needed.
FunctionName NameFunction(const NameAttributes& attributes,
                          const SymbolTable& symbols,
                          const std::function<std::string()>& scope_prefix);

}  // namespace heapprof
