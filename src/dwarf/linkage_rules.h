// SPDX-License-Identifier: Apache-2.0
//
// What a language says about the symbols of functions that DWARF gives no
// linkage name.
#pragma once

#include <string_view>

namespace heapprof {

// True unless every function of `language` (DW_LANG_*) has its plain name as
// symbol. Only C++ compilers leave out linkage names that differ.
bool MayMangleNames(int language);

// True if `symbol` can be the symbol of the function that DWARF calls `name`
// ("f", "f<int>", "operator()"). Linkers that fold identical functions leave
// several names at one address.
bool CanBeSymbolOf(std::string_view symbol, std::string_view name);

}  // namespace heapprof
